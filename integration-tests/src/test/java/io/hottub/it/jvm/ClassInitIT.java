// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Classes are initialised again in every run, at the same moments and in the same order as on a
 * stock JVM, by code that an earlier run left compiled; and their new values are seen.
 *
 * <p>Red if one of interpreter, C1 and C2 forgets to check: each mode leaves the code of the runs
 * to one of them.
 */
@NeedsHome
class ClassInitIT {
  /** Enough for C2 to compile every use. */
  private static final int REPEATS = 21_000;

  private static final int RUNS = 12;

  /** Runs differ in the order of the uses and in the values of static finals. */
  private static final int VARIANTS = 4;

  private Pool pool;
  private Path classes;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    classes = Programs.compile(pool.work().resolve("classes"), "InitOrder");
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  private List<String> arguments(String options, int repeats, int variant) {
    List<String> arguments = new ArrayList<>(Arrays.asList(options.split(" ")));
    arguments.addAll(List.of("-cp", classes.toString(), "InitOrder"));
    arguments.add(Integer.toString(repeats));
    arguments.add(Integer.toString(variant / 2));
    arguments.add(Integer.toString(variant));
    return arguments;
  }

  @ParameterizedTest
  @CsvSource({
    "-Xint, 300",
    "-Xbatch -XX:TieredStopAtLevel=1, " + REPEATS,
    "-Xbatch -XX:TieredStopAtLevel=3, " + REPEATS,
    "-Xbatch -XX:-TieredCompilation, " + REPEATS,
    "-Xbatch, " + REPEATS,
    "-Xmixed, " + REPEATS
  })
  void initializesAsAStockJvm(String options, int repeats) throws Exception {
    List<Outcome> stock = new ArrayList<>();
    for (int variant = 0; variant < VARIANTS; variant++) {
      stock.add(pool.cold(arguments(options, repeats, variant)));
      assertEquals(0, stock.get(variant).status(), stock.get(variant).toString());
    }
    for (int run = 0; run < RUNS; run++) {
      int variant = run * 7 / 3 % VARIANTS;
      Outcome outcome = pool.run(arguments(options, repeats, variant));
      assertEquals(stock.get(variant), outcome, "run " + (run + 1));
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(RUNS);
  }

  /** Each trigger of JVMS 5.5, and what looks like one: the program has the table. */
  @ParameterizedTest
  @CsvSource({
    "-Xint, 300",
    "-Xbatch -XX:TieredStopAtLevel=1, " + REPEATS,
    "-Xbatch -XX:-TieredCompilation, " + REPEATS,
    "-Xbatch, " + REPEATS,
    "-Xmixed, " + REPEATS
  })
  void whatInitialisesAClassDoesInEveryRun(String options, int repeats) throws Exception {
    Path triggers = Programs.compile(pool.work().resolve("triggers"), "Triggers");
    Path library = Programs.compileLibrary(pool.work().resolve("libtriggers.so"), "triggers");
    String rows = pool.cold("-cp", triggers.toString(), "Triggers", "list").out();
    generate("GenerateTriggers", "triggers", rows.split("\n"));
    List<String> arguments = new ArrayList<>(Arrays.asList(options.split(" ")));
    arguments.addAll(List.of("-cp", triggers.toString(), "Triggers"));
    arguments.addAll(List.of(Integer.toString(repeats), library.toString()));
    Outcome stock = pool.cold(arguments);
    assertEquals(rows.lines().count(), stock.out().lines().count(), stock.toString());
    assertFalse(stock.out().contains("WRONG"), stock.toString());
    for (int run = 1; run <= 4; run++) {
      assertEquals(stock, pool.run(arguments), "run " + run + pool.logs());
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(4);
  }

  /** The initialiser of a class that is not reset fails in one run; not in the next. */
  @Test
  void aFailureIsForgotten() throws Exception {
    Path spoiled = Programs.compile(pool.work().resolve("spoiled"), "Spoiled");
    for (String argument : List.of("fail", "", "fail", "")) {
      List<String> arguments = new ArrayList<>(List.of("-Xint", "-cp", spoiled.toString()));
      arguments.add("Spoiled");
      if (!argument.isEmpty()) {
        arguments.add(argument);
      }
      String expected = argument.isEmpty() ? "initialised\n" : "spoiled\n";
      assertEquals(new Outcome(0, expected, ""), pool.cold(arguments));
      Outcome outcome = pool.run(arguments);
      if (argument.isEmpty()) {
        assertEquals(new Outcome(0, expected, ""), outcome, pool.logs());
      }
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(4);
  }

  /**
   * A thread of the run, or main, is in it: of a class of the run, and of one that is not reset.
   */
  @ParameterizedTest
  @ValueSource(strings = {"own", "own thread", "library", "library thread"})
  void anInitialiserInWhichARunEndsRunsAgain(String where) throws Exception {
    Path ending = Programs.compile(pool.work().resolve("ending"), "EndsInside");
    // What is not reset has no second initialiser in which a run could end.
    List<String> ends = where.startsWith("own") ? List.of("", "end", "") : List.of("end", "");
    for (String end : ends) {
      List<String> arguments = new ArrayList<>(List.of("-cp", ending.toString(), "EndsInside"));
      arguments.addAll(List.of((where + " " + end).trim().split(" ")));
      Outcome stock = pool.cold(arguments);
      assertEquals(end.isEmpty() ? 0 : 3, stock.status(), stock.toString());
      assertEquals(stock, pool.run(arguments), "'" + end + "'" + pool.logs());
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(ends.size());
  }

  /**
   * Method handles in a constant pool enter methods without a look at their class. An initialiser
   * that ends abruptly then is no exception of the method, whose monitor nobody has yet.
   */
  @ParameterizedTest
  @CsvSource({
    "-Xint, 300",
    "-Xbatch -XX:TieredStopAtLevel=1, " + REPEATS,
    "-Xbatch -XX:-TieredCompilation, " + REPEATS,
    "-Xbatch, " + REPEATS
  })
  void anInitialiserThatEndsOnEntryIsOutsideOfTheMethod(String options, int repeats)
      throws Exception {
    Path entered = generate("GenerateEntered", "entered");
    Programs.compile(entered, "Entered");
    List<String> runs = new ArrayList<>(List.of("", ""));
    for (String end : List.of("fail", "exit")) {
      for (String whose : List.of("Open", "Locked", "Native")) {
        runs.add(whose + " " + end);
      }
      runs.add("");
    }
    for (String run : runs) {
      List<String> arguments = new ArrayList<>(Arrays.asList(options.split(" ")));
      arguments.addAll(List.of("-cp", entered.toString(), "Entered", Integer.toString(repeats)));
      arguments.addAll(Arrays.asList(run.isEmpty() ? new String[0] : run.split(" ")));
      Outcome stock = pool.cold(arguments);
      assertEquals(run.endsWith("exit") ? 3 : 0, stock.status(), stock.toString());
      assertEquals(stock, pool.run(arguments), "'" + run + "'" + pool.logs());
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(runs.size());
  }

  /** Runs a program that writes class files into a folder. */
  private Path generate(String program, String folder, String... arguments) throws Exception {
    Path generated = Files.createDirectories(pool.work().resolve(folder));
    List<String> command = new ArrayList<>();
    command.add("--add-exports=java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED");
    command.addAll(List.of(Programs.source(program).toString(), generated.toString()));
    command.addAll(List.of(arguments));
    assertEquals(new Outcome(0, "", ""), pool.cold(command));
    return generated;
  }

  /** The VM remembers why an initialiser has failed, to tell whoever asks for the class later. */
  @Test
  void aFailureIsThatOfTheRun() throws Exception {
    Path failing = Programs.compile(pool.work().resolve("failing"), "FailsWith");
    for (String message : List.of("first", "second", "third")) {
      List<String> arguments = List.of("-cp", failing.toString(), "FailsWith", message);
      Outcome cold = pool.cold(arguments);
      assertTrue(cold.out().contains(message), cold.toString());
      assertEquals(cold, pool.run(arguments), pool.logs());
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(3);
  }
}
