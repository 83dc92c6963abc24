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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs that have another class in the place of one of the class path before they have come to
 * that one, while a run before has.
 */
@NeedsHome
@Tag("clones")
class ConflictsIT {
  private static final String WARM_UP = "use";

  @TempDir private static Path classes;
  private Pool pool;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    Programs.compile(classes, "OneNameTwice");
    for (int run = 0; run < 3; run++) {
      assertEquals(pool.stock(of(WARM_UP)), pool.run(of(WARM_UP)), pool::logs);
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(2);
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  private static List<String> of(String... what) {
    List<String> arguments = new ArrayList<>(List.of("-cp", classes.toString(), "OneNameTwice"));
    arguments.addAll(List.of(what));
    return arguments;
  }

  private void assertColdForAConflict() throws Exception {
    List<String> reasons = pool.reasons();
    assertEquals("class-conflict", reasons.get(reasons.size() - 1), pool::logs);
    assertEquals(0, pool.servedLast(), pool::logs);
  }

  /** That is a known difference; whoever tries again does not meet it again. */
  @ParameterizedTest
  @ValueSource(strings = {"define", "Asker", "LateAsker"})
  void aRunThatMeetsAClassOfAnEarlierRunIsTheLast(String what) throws Exception {
    Outcome stock = pool.stock(of(what));
    String error = "java.lang.LinkageError\n";
    assertFalse(stock.out().contains(error), stock::toString);
    assertTrue(pool.run(of(what)).out().endsWith(error), pool::logs);
    assertEquals(stock, pool.run(of(what)), pool::logs);
    assertColdForAConflict();
    assertEquals(pool.stock(of(WARM_UP)), pool.run(of(WARM_UP)), pool::logs);
    assertColdForAConflict();
    assertTrue(pool.logs().contains("Answer was in the way of a class of this run"), pool::logs);
  }

  /** What a stock JVM does not like either is no conflict between runs. */
  @ParameterizedTest
  @ValueSource(strings = {"define", "Asker", "LateAsker", "generate", "find"})
  void classesOfOneRunMayBeInItsOwnWay(String what) throws Exception {
    List<String> arguments = what.equals("generate") ? of(what) : of("use", what);
    Outcome stock = pool.stock(arguments);
    String end = what.equals("find") ? "is there\n" : "java.lang.LinkageError\n";
    assertTrue(stock.out().endsWith(end), stock::toString);
    for (int run = 0; run < 4; run++) {
      assertEquals(stock, pool.run(arguments), pool::logs);
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(4);
  }
}
