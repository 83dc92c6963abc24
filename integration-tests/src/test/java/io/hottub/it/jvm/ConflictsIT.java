// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs that have another class in the place of one of the class path before they have come to
 * that one, while a run before has.
 */
@NeedsHome
@Tag("clones")
class ConflictsIT {
  private static final int REPEATS = 12_000;

  @TempDir private static Path classes;
  private Pool pool;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    Programs.compile(classes, "OneNameTwice");
    Programs.compile(classes, "GivesWay");
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  private static List<String> of(String program, String... what) {
    List<String> arguments = new ArrayList<>(List.of("-cp", classes.toString(), program));
    arguments.addAll(List.of(what));
    return arguments;
  }

  private static List<String> twice(String... what) {
    return of("OneNameTwice", what);
  }

  private static List<String> way(String options, int times, String... what) {
    List<String> arguments = new ArrayList<>(List.of(options.split(" ")));
    arguments.addAll(of("GivesWay", Integer.toString(times)));
    arguments.addAll(List.of(what));
    return arguments;
  }

  /** Until there is a JVM with classes of earlier runs. */
  private void warmUp(List<String> arguments) throws Exception {
    Outcome stock = pool.stock(arguments);
    for (int run = 0; run < 3; run++) {
      assertEquals(stock, pool.run(arguments), pool::logs);
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(2);
  }

  /** In the one that is warm. */
  private void assertAsStock(List<String> arguments) throws Exception {
    assertEquals(pool.stock(arguments), pool.run(arguments), pool::logs);
    pool.assertOneJvmServedLast(3);
  }

  private void assertColdForAConflict() throws Exception {
    List<String> reasons = pool.reasons();
    assertEquals("class-conflict", reasons.get(reasons.size() - 1), pool::logs);
    assertEquals(0, pool.servedLast(), pool::logs);
  }

  @ParameterizedTest
  @ValueSource(strings = {"define", "Asker", "LateAsker"})
  void aClassOfAnEarlierRunGivesWayToOneOfThisRun(String what) throws Exception {
    warmUp(twice("use"));
    Outcome stock = pool.stock(twice(what));
    assertFalse(stock.out().contains("Error"), stock::toString);
    assertAsStock(twice(what));
    pool.awaitIdle();
    if (!Pool.CLONES) {
      String log = "OneNameTwice$Answer has given way to a class of the run";
      assertTrue(pool.logs().contains(log), pool::logs);
    }
    warmUp(twice("use")); // its kind is not cold for what has been solved
  }

  /** All that code of others can have linked to it, in each of the ways that code is run. */
  @ParameterizedTest
  @CsvSource({
    "-Xint, 300",
    "-Xbatch -XX:TieredStopAtLevel=1, " + REPEATS,
    "-Xbatch -XX:TieredStopAtLevel=3, " + REPEATS,
    "-Xbatch -XX:-TieredCompilation, " + REPEATS,
    "-Xmixed, " + REPEATS
  })
  void whatWasLinkedToAClassThatGivesWayIsLinkedAnew(String options, int times) throws Exception {
    warmUp(way(options, times, "use"));
    List<String> arguments = way(options, times, "define", "use", "define");
    assertTrue(pool.stock(arguments).out().contains("NAME-P"), pool::logs);
    assertAsStock(arguments);
  }

  /** So do those that inherit from it, and come back from the class path as its children. */
  @ParameterizedTest
  @ValueSource(strings = {"children use children", "define children use", "children define use"})
  void whatInheritsGivesWayToo(String what) throws Exception {
    warmUp(way("-Xmixed", REPEATS, "use"));
    assertAsStock(way("-Xmixed", REPEATS, what.split(" ")));
  }

  /** Its call site has the lambda of an earlier run. */
  @ParameterizedTest
  @ValueSource(strings = {"asks", "asks lambda", "asks lambda asks"})
  void anInterfaceOfALambdaGivesWay(String what) throws Exception {
    warmUp(way("-Xmixed", REPEATS, "lambda"));
    assertAsStock(way("-Xmixed", REPEATS, what.split(" ")));
  }

  /** It does not wait for all that is to be compiled. */
  @Test
  @Tag("long")
  void compilersRestWhileAClassGivesWay() throws Exception {
    Programs.compile(classes, "CompiledLoops");
    HotLoops.compile(classes, 100, 40, "GivesWay.main(args);\nCompiledLoops.show(100);\n");
    warmUp(way("-Xmixed", 300, "use"));
    List<String> arguments = of("HotLoops", "300", "define", "use");
    arguments.add(0, "-Xmixed");
    Outcome stock = pool.stock(arguments);
    assertTrue(stock.out().matches("defined(.*\n)*some wait\n"), stock::toString);
    assertAsStock(arguments);
  }

  /** What it has said of its nest does not hold any more. */
  @Test
  void theHostOfANestGivesWay() throws Exception {
    warmUp(way("-Xmixed", REPEATS, "nested"));
    List<String> arguments = way("-Xmixed", REPEATS, "nest", "nested");
    assertEquals("defined Nester\nSECRET\n", pool.stock(arguments).out());
    assertAsStock(arguments);
  }

  /** That is a known difference; whoever tries again does not meet it again. */
  @ParameterizedTest
  @ValueSource(strings = {"parents", "define orphans"})
  void aRunThatMeetsAClassThatCannotGiveWayIsTheLast(String what) throws Exception {
    List<String> others = way("-Xmixed", REPEATS, "use");
    warmUp(others);
    List<String> arguments = way("-Xmixed", REPEATS, what.split(" "));
    Outcome stock = pool.stock(arguments);
    String error = "java.lang.LinkageError\n";
    assertFalse(stock.out().contains(error), stock::toString);
    assertTrue(pool.run(arguments).out().endsWith(error), pool::logs);
    assertEquals(stock, pool.run(arguments), pool::logs);
    assertColdForAConflict();
    assertEquals(pool.stock(others), pool.run(others), pool::logs);
    assertColdForAConflict();
    assertTrue(pool.logs().contains("was in the way of a class of this run"), pool::logs);
  }

  /** What a stock JVM does not like either is no conflict between runs. */
  @ParameterizedTest
  @ValueSource(strings = {"define", "Asker", "LateAsker", "generate", "find"})
  void classesOfOneRunMayBeInItsOwnWay(String what) throws Exception {
    warmUp(twice("use"));
    List<String> arguments = what.equals("generate") ? twice(what) : twice("use", what);
    Outcome stock = pool.stock(arguments);
    String end = what.equals("find") ? "is there\n" : "java.lang.LinkageError\n";
    assertTrue(stock.out().endsWith(end), stock::toString);
    for (int run = 0; run < 4; run++) {
      assertEquals(stock, pool.run(arguments), pool::logs);
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(4);
  }

  /** The loader of the run that needs it is not the one that has it. */
  @Test
  void aClassGivesWayToOneThatALoaderHasFromAnother() throws Exception {
    warmUp(way("-Xmixed", 300, "use"));
    List<String> arguments = way("-Xmixed", 300, "siblings");
    assertEquals("none\none\n", pool.stock(arguments).out());
    assertAsStock(arguments);
  }

  /** It was there in no other run, so nobody knows what its parents were. */
  @Test
  void aClassThatARunHasMadeMayHaveOtherParentsInTheNext() throws Exception {
    warmUp(way("-Xmixed", 300, "generate"));
    assertAsStock(way("-Xmixed", 300, "regenerate"));
  }

  /** Nor is one that the run has used, when only compiled code knows of it. */
  @Test
  void objectsThatCompiledCodeHasNotMadeYetCount() throws Exception {
    warmUp(way("-XX:-BackgroundCompilation", 200_000, "virtual"));
    List<String> arguments = way("-XX:-BackgroundCompilation", 1, "virtual");
    Outcome stock = pool.stock(arguments);
    assertTrue(stock.out().startsWith("java.lang.LinkageError\n"), stock::toString);
    assertAsStock(arguments);
  }

  /** Nobody would take it for what it is. That is a known difference. */
  @Test
  void nobodyMakesAnObjectOfAClassThatHasGivenWay() throws Exception {
    warmUp(way("-Xmixed", 300, "make"));
    Outcome outcome = pool.run(way("-Xmixed", 300, "keep"));
    String out = "defined Made\nCould not initialize class GivesWay$Made\n";
    assertEquals(new Outcome(0, out, ""), outcome, pool::logs);
  }

  /** Nor is one that the run has used in a way that is not seen in the class. */
  @ParameterizedTest
  @ValueSource(strings = {"plain", "running", "count", "use define"})
  void whatARunHasUsedDoesNotGiveWay(String what) throws Exception {
    List<String> arguments = way("-Xmixed", 300, what.split(" "));
    String out = pool.stock(arguments).out();
    assertTrue(out.contains("java.lang.LinkageError\n"), out);
    warmUp(arguments);
    assertAsStock(arguments);
  }
}
