// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Packages;
import io.hottub.it.harness.Programs;
import io.hottub.it.harness.SparkOnYarn;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Applications with settings that change which JVMs there are, and what they load. */
@NeedsHome
@Tag("long")
class SparkSettingsIT extends SparkOnYarn {
  @Override
  protected String version() {
    return "3";
  }

  private String assertWarmAndEqual(List<String> settings, String program) throws Exception {
    return assertWarmAndEqual(
        (pooled, result) -> spark.submit(pooled, "client", settings, program, result));
  }

  @Test
  void applicationsMayBeInPython() throws Exception {
    Path program = Programs.program("spark-job.py");
    String result = assertWarmAndEqual((pooled, file) -> spark.submitPython(pooled, program, file));
    assertTrue(result.endsWith(" [Row(sum(n)=332833500)]"), result);
  }

  /** Executors are decommissioned when they are idle; the next ones have other resources. */
  @Test
  void executorsComeAndGo() throws Exception {
    assertWarmAndEqual(
        List.of(
            "spark.dynamicAllocation.enabled=true",
            "spark.dynamicAllocation.initialExecutors=2",
            "spark.dynamicAllocation.maxExecutors=2",
            "spark.dynamicAllocation.executorIdleTimeout=1s",
            "spark.dynamicAllocation.shuffleTracking.enabled=true",
            "spark.dynamicAllocation.shuffleTracking.timeout=1s",
            "spark.decommission.enabled=true"),
        "elastic");
  }

  /**
   * The user's libraries before Spark's, and everything encrypted, by which Spark loads OpenSSL.
   */
  @Test
  void librariesOfTheUserComeFirst() throws Exception {
    // Where that cannot be, Spark has the JDK's ciphers.
    System.out.println(Packages.install("packages-openssl.txt"));
    List<String> settings =
        List.of(
            "spark.driver.userClassPathFirst=true",
            "spark.executor.userClassPathFirst=true",
            "spark.authenticate=true",
            "spark.network.crypto.enabled=true",
            "spark.io.encryption.enabled=true");
    List<String> one = with("spark.jars=" + library("one"), settings);
    assertEquals("one[one, one]", assertWarmAndEqual(one, "library"));
    List<String> another = with("spark.jars=" + library("another"), settings);
    assertEquals(
        "another[another, another]",
        result(true, (pooled, file) -> spark.submit(pooled, "client", another, "library", file)));
  }

  private static List<String> with(String setting, List<String> others) {
    return Stream.concat(Stream.of(setting), others.stream()).toList();
  }

  private Path library(String name) throws Exception {
    Path folder = folder();
    String source = "public class Library { public static String name() { return \"%s\"; } }";
    Path file = Files.writeString(folder.resolve("Library.java"), source.formatted(name));
    Path jar = folder.resolve("library.jar");
    run("javac", "-d", folder.toString(), file.toString());
    run("jar", "-cf", jar.toString(), "-C", folder.toString(), "Library.class");
    return jar;
  }

  private static void run(String tool, String... arguments) {
    int status = ToolProvider.findFirst(tool).orElseThrow().run(System.out, System.err, arguments);
    assertEquals(0, status, tool);
  }
}
