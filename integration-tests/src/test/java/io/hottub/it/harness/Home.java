// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The HotTub home under test. */
public final class Home {
  /** The client. */
  public static final Path JAVA = path().resolve("bin/java");

  /** What serves cold runs: the distribution's own launcher and JVM in this home. */
  public static final Path COLD_JAVA = path().resolve("bin/java-cold");

  /** The distribution's own JVM, with nothing of ours. */
  public static final Path STOCK_JAVA = Path.of(property("hottub.stock"), "bin", "java");

  /** HotSpot checks itself, which takes time. */
  public static final boolean IS_DEBUG = isDebug();

  private static final Path TOOLS = Path.of("..", "hottub-jvm", "tools.tsv");

  private Home() {}

  static String property(String name) {
    String value = System.getProperty(name);
    assertTrue(value != null, "the system property " + name + " is set by the build");
    return value;
  }

  /** Folder of the home. */
  public static Path path() {
    Path home = Path.of(property("hottub.home")).toAbsolutePath().normalize();
    assertTrue(
        Files.isExecutable(home.resolve("bin/java-cold")),
        "there is no HotTub home at " + home + "; hottub-jvm/build/home makes one");
    return home;
  }

  /** The tools of the JDK for which the client stands, besides java. */
  public static Set<String> pooledTools() throws IOException {
    return Files.readAllLines(TOOLS).stream()
        .map(line -> line.split("\t"))
        .filter(fields -> fields.length > 1 && fields[1].equals("pooled"))
        .map(fields -> fields[0])
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static boolean isDebug() {
    try {
      String ours = "-XXaltjvm=" + path().resolve("lib/hottub");
      ProcessBuilder builder =
          new ProcessBuilder(COLD_JAVA.toString(), ours, "-Xinternalversion")
              .redirectErrorStream(true);
      builder.environment().remove("JAVA_HOME"); // HotSpot takes it for the place of such a JVM
      Process version = builder.start();
      return new String(version.getInputStream().readAllBytes(), UTF_8).contains("fastdebug");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
