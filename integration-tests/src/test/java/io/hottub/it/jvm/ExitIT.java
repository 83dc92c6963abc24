// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import io.hottub.it.harness.Run;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every way in which a program ends looks as on a stock JVM, and leaves the JVM in the pool. */
@NeedsHome
@Tag("clones")
class ExitIT {
  private static final int RUNS = 3;

  private static Pool pool;
  private static Path classes;

  @BeforeAll
  static void createPool() throws Exception {
    pool = new Pool();
    classes =
        Programs.compile(
            pool.work().resolve("classes"), "Exits", "FailsAtStart", "NoMain", "Spawns");
  }

  @AfterAll
  static void closePool() throws Exception {
    pool.close();
  }

  @AfterEach
  void awaitIdle() throws Exception {
    pool.awaitIdle();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "return",
        "exit",
        "exit-257",
        "exit-minus-1",
        "exit-thread",
        "exit-nested",
        "exit-initializer",
        "exit-twice",
        "exit-while-all-wait",
        "halt",
        "halt-in-hook",
        "hook-throws",
        "uncaught",
        "uncaught-thread",
        "uncaught-while-others-run",
        "uncaught-handler",
        "uncaught-handler-throws",
        "uncaught-handler-exits",
        "thread-handler-exits",
        "thread-handler-halts",
        "thread-handler-waits",
        "stack-overflow",
        "stack-overflow-caught",
        "out-of-memory",
        "last-thread"
      })
  void endsAsOnAStockJvm(String way) throws Exception {
    endsAsOnAStockJvm(List.of("-Xmx64m", "-cp", classes.toString(), "Exits", way));
  }

  /** A stock JVM hangs, too, until somebody kills it. */
  @Test
  void exitInAHookWaits() throws Exception {
    List<String> arguments = List.of("-Xmx64m", "-cp", classes.toString(), "Exits", "exit-in-hook");
    List<Outcome> outcomes = new ArrayList<>();
    for (Path java : List.of(Home.COLD_JAVA, Home.JAVA, Home.JAVA)) {
      int traced = pool.servedBy().size();
      Run run = pool.start(pool.builder(Pool.command(java, arguments)));
      run.awaitOut("hook that exits").awaitOut("hook of");
      pool.awaitTraced(traced + (java.equals(Home.JAVA) ? 1 : 0));
      Thread.sleep(300);
      assertTrue(run.isAlive());
      run.signal("KILL");
      outcomes.add(
          run.await().normalised(text -> text.lines().sorted().collect(Collectors.joining("\n"))));
      pool.awaitIdle();
    }
    assertEquals(outcomes.get(0), outcomes.get(1));
    assertEquals(outcomes.get(0), outcomes.get(2));
    pool.assertOneJvmServedLast(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"NoMain", "NoSuchClass"})
  void whatCannotStartFailsAsOnAStockJvm(String mainClass) throws Exception {
    endsAsOnAStockJvm(List.of("-Xmx64m", "-cp", classes.toString(), mainClass));
  }

  /** The launcher has the VM describe what the initialiser of the main class throws. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "handler",
        "handler-of-thread",
        "other-stream",
        "print",
        "print-exits",
        "print-throws"
      })
  void aMainClassThatFailsIsDescribed(String way) throws Exception {
    endsAsOnAStockJvm(List.of("-Dway=" + way, "-cp", classes.toString(), "FailsAtStart"));
  }

  @Test
  void aStartOfAProcessThatTheEndOvertakesDoesNotFail() throws Exception {
    List<String> arguments = List.of("-cp", classes.toString(), "Spawns");
    for (int run = 0; run < 12; run++) {
      assertEquals(new Outcome(0, "", ""), pool.run(arguments), "run " + run);
      assertTrue(pool.servedLast() > 0, pool.logs());
      pool.awaitIdle();
    }
  }

  private static void endsAsOnAStockJvm(List<String> arguments) throws Exception {
    Outcome stock = pool.cold(arguments);
    for (int i = 1; i <= RUNS; i++) {
      assertEquals(stock, pool.run(arguments), "run " + i);
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(RUNS);
  }
}
