// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A run that has lasted for 30 s gets code of its own, which holds its static final references and
 * does not check whether classes are initialized: at once if it has little code, else first where
 * it uses it. No later run finds any of it.
 */
@NeedsHome
class LongRunIT {
  /** Name of the run, seconds. The short one has a hot loop, too. */
  private static final List<List<String>> RUNS = List.of(List.of("a", "33"), List.of("b", "0"));

  private static final String REPEATS = "2000";

  private Pool pool;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    Files.writeString(pool.userFolder().resolve("jvm-log"), "info\n");
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  @Test
  void eachRunSeesItsOwn() throws Exception {
    assertEachRunSeesItsOwn("-XX:+UseG1GC");
  }

  @Tag("long")
  @Test
  void eachRunSeesItsOwnByC2Alone() throws Exception {
    assertEachRunSeesItsOwn("-XX:+UseSerialGC -XX:-TieredCompilation");
  }

  private void assertEachRunSeesItsOwn(String options) throws Exception {
    runs(options, 0);
    assertEquals(1, count("a long run: code of all its \\d+ methods dropped"));
    assertEquals(0, count("a long run: code is dropped where .*"));
  }

  @Tag("long")
  @Test
  void eachRunSeesItsOwnWhereMuchIsCompiled() throws Exception {
    runs("-XX:+UseParallelGC", 200);
    assertEquals(1, count("a long run: code is dropped where it is used"));
    assertEquals(0, count("a long run: code of all .*"));
  }

  @Tag("long")
  @Test
  void aLogOfSafepointsHasNoneOfHotTub() throws Exception {
    Path log = pool.work().resolve("safepoints");
    Path classes = Programs.compile(pool.work().resolve("classes"), "LongRun");
    Outcome outcome =
        pool.run(
            List.of(
                "-XX:+UseG1GC",
                "-Xlog:safepoint:file=" + log,
                "-Drun=a",
                "-cp",
                classes.toString(),
                "LongRun",
                "33",
                REPEATS,
                "200"));
    assertEquals(0, outcome.status(), outcome.toString());
    pool.awaitIdle();
    pool.assertOneJvmServedLast(1);
    List<String> lines = Files.readAllLines(log);
    assertTrue(lines.stream().anyMatch(line -> line.contains("G1Collect")), "it has others");
    assertEquals(List.of(), lines.stream().filter(line -> line.contains("HotTub")).toList());
  }

  private void runs(String options, int compiled) throws Exception {
    Path classes = Programs.compile(pool.work().resolve("classes"), "LongRun");
    for (List<String> run : RUNS) {
      List<String> arguments = new ArrayList<>(Arrays.asList(options.split(" ")));
      arguments.addAll(List.of("-Drun=" + run.get(0), "-cp", classes.toString(), "LongRun"));
      // What is said does not depend on the time.
      List<String> cold = new ArrayList<>(arguments);
      cold.addAll(List.of("0", REPEATS, "0"));
      arguments.addAll(List.of(run.get(1), REPEATS, String.valueOf(compiled)));
      Outcome stock = pool.cold(cold);
      assertEquals(0, stock.status(), stock.toString());
      assertEquals(stock, pool.run(arguments), run + pool.logs());
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(RUNS.size());
    assertEquals(
        1, count("code of the run discarded: [1-9]\\d* methods, .*"), "of it nothing is left");
  }

  /** Lines of the log of the only JVM that end like this. */
  private long count(String end) throws Exception {
    Path folder = pool.sockets().get(0).folder();
    Path log = folder.resolve("jvm-" + pool.state().jvmPid() + ".log");
    assertTrue(Files.exists(log), log + " is there");
    return Files.readString(log).lines().filter(line -> line.matches(".*\\] " + end)).count();
  }
}
