// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.spark;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.launcher.SparkLauncher;

/**
 * Spark's launcher for programs that submit applications, with every JVM of the application on
 * HotTub: the one of {@code spark-submit} (and with it the driver in client mode), the application
 * master, and the executors. Use it as {@link SparkLauncher}; what is set here can be set again.
 */
public class HotTubLauncher extends SparkLauncher {
  /**
   * @param home HotTub home on this machine. When it has no {@code bin/java}, {@code spark-submit}
   *     keeps the JVM that it would have had.
   */
  public HotTubLauncher(Path home) {
    this(home, Map.of());
  }

  /**
   * @param home see {@link #HotTubLauncher(Path)}
   * @param environment added to the environment of {@code spark-submit}
   */
  public HotTubLauncher(Path home, Map<String, String> environment) {
    super(withJavaHome(home, environment));
    setConf(SparkKeys.ENABLED, "true");
  }

  /** {@link #setJavaHome} would not do: spark-submit does not get to see it. */
  private static Map<String, String> withJavaHome(Path home, Map<String, String> environment) {
    Map<String, String> all = new HashMap<>(environment);
    if (Files.isExecutable(home.resolve("bin/java"))) {
      all.put("JAVA_HOME", home.toString());
    }
    return all;
  }
}
