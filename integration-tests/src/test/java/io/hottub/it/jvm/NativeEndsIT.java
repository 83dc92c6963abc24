// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What native code of a run does when the process ends, and what it would do after it. A clone is a
 * process, in which the kernel sees to that.
 */
@NeedsHome
class NativeEndsIT {
  private static final int RUNS = 3;

  private Pool pool;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  private List<String> ends(String what) throws Exception {
    Path work = pool.work();
    Path classes = Programs.compile(work.resolve("classes"), "NativeEnds");
    Path library = Programs.compileLibrary(work.resolve("libends.so"), "nativeends");
    List<String> arguments = new ArrayList<>(List.of("-cp", classes.toString(), "NativeEnds"));
    arguments.add(library.toString());
    arguments.addAll(List.of(what.split(" ")));
    return arguments;
  }

  private Outcome run(Path java, List<String> arguments) throws Exception {
    return pool.start(pool.builder(Pool.command(java, arguments)))
        .await()
        .normalised(text -> text.replaceAll("(?s)#\n# A fatal error.*", "fatal error\n"));
  }

  private void assertEachRunIs(Outcome stock, List<String> arguments) throws Exception {
    for (int run = 0; run < RUNS; run++) {
      assertEquals(stock, run(Home.JAVA, arguments), pool::logs);
    }
    assertEquals(RUNS, pool.servedBy().size(), pool::logs);
  }

  private void assertOneJvmServes(Outcome stock, List<String> arguments) throws Exception {
    for (int run = 0; run < RUNS; run++) {
      assertEquals(stock, run(Home.JAVA, arguments), pool::logs);
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(RUNS);
  }

  /** A crash, an exit or an abort in what is called at the end decides how the process ends. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "exits returns",
        "exits exits",
        "exits halts",
        "aborts returns",
        "crashes returns",
        "destructor returns",
        "destructor exits",
        "leaves returns"
      })
  void nativeCodeMayEndTheProcessOtherwise(String what) throws Exception {
    List<String> arguments = ends(what);
    Outcome stock = run(Home.COLD_JAVA, arguments);
    assertTrue(stock.status() != 0 && stock.status() != 8, stock.toString());
    assertEachRunIs(stock, arguments);
  }

  @ParameterizedTest
  @ValueSource(strings = {"asks returns", "asks exits", "asks halts", "slow exits"})
  void nativeCodeHasNoVmAtTheEndAndAnyTime(String what) throws Exception {
    List<String> arguments = ends(what);
    Outcome stock = run(Home.COLD_JAVA, arguments);
    assertTrue(stock.out().contains("slow") || stock.out().contains("-2\n"), stock.toString());
    assertOneJvmServes(stock, arguments);
  }

  /** Threads of which the VM does not know end with the process. */
  @ParameterizedTest
  @ValueSource(strings = {"writes returns", "calls returns", "writes exits"})
  void nativeThreadsDoNothingAfterTheEnd(String what) throws Exception {
    List<String> arguments = ends(what);
    Outcome stock = run(Home.COLD_JAVA, arguments);
    assertEquals("main\n", stock.out(), stock.toString());
    assertEachRunIs(stock, arguments);
  }

  private List<String> upcalls(String what) throws Exception {
    Path classes = Programs.compile(pool.work().resolve("classes"), "Upcalls");
    return List.of(
        "--add-modules=jdk.incubator.foreign",
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        classes.toString(),
        "Upcalls",
        what);
  }

  @ParameterizedTest
  @ValueSource(strings = {"exits", "fails", "sleeps"})
  void aRunMayEndInACallFromNativeCode(String what) throws Exception {
    List<String> arguments = upcalls(what);
    assertEachRunIs(run(Home.COLD_JAVA, arguments), arguments);
  }

  @Test
  void callsFromNativeCodeThatReturnCostNoJvm() throws Exception {
    List<String> arguments = upcalls("returns");
    assertOneJvmServes(run(Home.COLD_JAVA, arguments), arguments);
  }
}
