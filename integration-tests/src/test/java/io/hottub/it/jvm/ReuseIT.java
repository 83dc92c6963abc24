// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The compiler of the JDK, many times in one JVM: every result equals that of a stock JVM. */
@NeedsHome
class ReuseIT {
  private Pool pool;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  @ParameterizedTest
  @CsvSource({
    "-Xmixed, 40",
    "-XX:TieredStopAtLevel=1, 15",
    "-XX:-TieredCompilation, 15",
    "-XX:+UseParallelGC, 8",
    "-XX:+UseSerialGC, 8",
    "-XX:-UseCompressedClassPointers, 8"
  })
  void javacGivesEqualResults(String options, int runs) throws Exception {
    compare(options, runs);
  }

  @Tag("long")
  @ParameterizedTest
  @CsvSource({
    "-XX:TieredStopAtLevel=1, 40",
    "-XX:TieredStopAtLevel=3, 15",
    "-Xint, 8",
    "-XX:+UseParallelGC -XX:-UseCompressedOops, 8",
    "-XX:+UseSerialGC -Xmx24m -Xms8m, 8",
    "-XX:+UseG1GC -Xmx16g, 8",
    "-XX:+UseG1GC -XX:-UseCompressedOops, 8",
    "-XX:+ExplicitGCInvokesConcurrent, 8",
    "-XX:+UseTransparentHugePages, 8",
    "-XX:+UseParallelGC -XX:+UseNUMA, 8",
    "-Xshare:off, 8"
  })
  void javacGivesEqualResultsWithMoreOptions(String options, int runs) throws Exception {
    compare(options, runs);
  }

  private void compare(String options, int runs) throws Exception {
    List<String> arguments = javac(options);
    Outcome stock = pool.cold(arguments);
    Map<String, String> stockFiles = takeClasses();
    for (int run = 1; run <= runs; run++) {
      Outcome outcome = pool.run(arguments);
      assertEquals(stock, outcome, "run " + run + "\n" + pool.logs());
      assertEquals(stockFiles, takeClasses(), "run " + run);
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(runs);
  }

  /** Collectors of which the reset knows nothing. */
  @ParameterizedTest
  @ValueSource(strings = {"-XX:+UseZGC", "-XX:+UseShenandoahGC"})
  void otherCollectorsRunCold(String option) throws Exception {
    List<String> arguments = javac(option);
    Outcome stock = pool.cold(arguments);
    Map<String, String> stockFiles = takeClasses();
    assertEquals(stock, pool.run(arguments));
    assertEquals(stockFiles, takeClasses());
    String trace = Files.readString(pool.trace());
    assertTrue(trace.contains("\"reason\":\"collector\""), trace);
  }

  private static List<String> javac(String options) {
    List<String> arguments = new ArrayList<>(Arrays.asList(options.split(" ", -1)));
    arguments.addAll(List.of("com.sun.tools.javac.Main", "-Xlint:all", "-parameters"));
    arguments.addAll(List.of("-d", "classes", Programs.source("Small").toString()));
    return arguments;
  }

  /** Content of the class files, which are then removed. */
  private Map<String, String> takeClasses() throws IOException {
    Map<String, String> content = new TreeMap<>();
    try (Stream<Path> files = Files.list(pool.work().resolve("classes"))) {
      for (Path file : files.toList()) {
        content.put(
            file.getFileName().toString(), Files.readString(file, StandardCharsets.ISO_8859_1));
        Files.delete(file);
      }
    }
    return content;
  }

  /** Their thread may have taken one from its queue just before. */
  @Test
  void finalizersThatAreDueAtTheEndOfARunCostNoJvm() throws Exception {
    String classes = Programs.compile(pool.work().resolve("classes"), "Finalizes").toString();
    int runs = 20;
    for (int run = 1; run <= runs; run++) {
      assertEquals(0, pool.run("-cp", classes, "Finalizes").status(), pool.logs());
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(runs);
  }
}
