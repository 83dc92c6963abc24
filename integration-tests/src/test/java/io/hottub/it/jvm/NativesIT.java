// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import io.hottub.it.harness.Run;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Native libraries of applications: each run finds their state as after loading, their code ends as
 * on a stock JVM, and what cannot be reset ends its JVM, after a right result.
 */
@NeedsHome
@Tag("clones")
class NativesIT {
  private static final int RUNS = 5;

  private Pool pool;
  private Path classes;
  private Path library;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    classes = Programs.compile(pool.work().resolve("classes"), "Natives");
    library = Programs.compileLibrary(pool.work().resolve("libnatives.so"), "natives");
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  private List<String> arguments(Path of, String what) {
    List<String> all = new ArrayList<>(List.of("-Xmx64m", "-cp", classes.toString(), "Natives"));
    all.add(of.toString());
    all.addAll(List.of(what.split(" ")));
    return all;
  }

  /** Without what names the process or a time: the report of a crash. */
  private static Outcome comparable(Outcome outcome) {
    return outcome.normalised(
        text ->
            text.replaceAll("pid=\\d+, tid=\\d+", "pid, tid")
                .replaceAll("hs_err_pid\\d+", "hs_err")
                .replaceAll("(0x|\\+0x)[0-9a-f]+", "0x")
                .replaceAll("core\\.\\d+", "core"));
  }

  private Outcome run(Path java, Path of, String what) throws Exception {
    ProcessBuilder builder = pool.builder(Pool.command(java, arguments(of, what)));
    builder.environment().put("NATIVES_GOODBYE", "goodbye");
    if (what.equals("exit-in-load")) {
      builder.environment().put("NATIVES_EXIT", "yes");
    }
    return comparable(pool.start(builder).await());
  }

  private Outcome cold(String what) throws Exception {
    return run(Home.COLD_JAVA, library, what);
  }

  private Outcome pooled(Path of, String what) throws Exception {
    Outcome outcome = run(Home.JAVA, of, what);
    pool.awaitIdle();
    return outcome;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "count",
        "yield",
        "missing",
        "print",
        "signals",
        "thread-ends",
        "references",
        "process-state",
        "library-state",
        "register",
        "pin"
      })
  void aRunFindsNothingOfFormerRuns(String what) throws Exception {
    boolean blocksSignals = what.equals("process-state");
    assumeFalse(
        Home.IS_DEBUG && blocksSignals,
        "a debug build of HotSpot refuses to end threads that block its signals");
    Outcome stock = cold(what);
    assertFalse(stock.out().contains("WRONG"), stock.toString());
    for (int run = 1; run <= RUNS; run++) {
      assertEquals(stock, pooled(library, what), () -> pool.logs());
    }
    pool.assertOneJvmServedLast(RUNS);
  }

  /** The C library reads it when it first needs it. */
  @Test
  void theTimeZoneOfNativeCodeIsThatOfTheRun() throws Exception {
    for (String zone : List.of("America/New_York", "Asia/Tokyo", "UTC")) {
      List<Outcome> outcomes = new ArrayList<>();
      for (Path java : List.of(Home.COLD_JAVA, Home.JAVA)) {
        ProcessBuilder builder =
            pool.builder(Pool.command(java, arguments(library, "library-state")));
        builder.environment().put("TZ", zone);
        outcomes.add(pool.start(builder).await());
        pool.awaitIdle();
      }
      assertEquals(outcomes.get(0), outcomes.get(1), zone + pool.logs());
    }
    pool.assertOneJvmServedLast(3);
  }

  /** One that every run unpacks to a new place, as many programs do. */
  @Test
  @Tag("reuse")
  void aLibraryThatMovesIsUnloaded() throws Exception {
    Outcome stock = cold("count");
    for (int run = 1; run <= RUNS; run++) {
      Path copy = Files.copy(library, pool.work().resolve("copy" + run + ".so"));
      assertEquals(stock, pooled(copy, "count"), () -> pool.logs());
      String maps = Files.readString(Path.of("/proc/" + pool.state().jvmPid() + "/maps"));
      assertFalse(maps.contains(copy.toString()), "unloaded");
    }
    pool.assertOneJvmServedLast(RUNS);
  }

  /** Its own class loader holds it. */
  @Test
  @Tag("reuse")
  void aLibraryOfAClassLoaderIsUnloaded() throws Exception {
    Outcome stock = cold("loader");
    assertEquals(0, stock.status(), stock.toString());
    for (int run = 1; run <= RUNS; run++) {
      assertEquals(stock, pooled(library, "loader"), () -> pool.logs());
      String maps = Files.readString(Path.of("/proc/" + pool.state().jvmPid() + "/maps"));
      assertFalse(maps.contains(library.toString()), "unloaded");
    }
    pool.assertOneJvmServedLast(RUNS);
  }

  /** By a library that is unloaded, as those are left open that programs ask jffi or JNA for. */
  @Test
  void aLibraryThatNativeCodeLeavesOpenIsUnloaded() throws Exception {
    Files.copy(library, library.resolveSibling("libleft.so"));
    Outcome stock = cold("leave-open");
    assertEquals("main\nloaded\n1\nhook\ngoodbye\ngoodbye\n", stock.out());
    for (int run = 1; run <= RUNS; run++) {
      assertEquals(stock, pooled(library, "leave-open"), () -> pool.logs());
    }
    List<String> command = Pool.command(Home.JAVA, arguments(library, "leave-open-killed"));
    Run killed = pool.start(pool.builder(command)).awaitOut("waiting");
    pool.awaitTraced(RUNS + 1);
    killed.signal("KILL");
    assertEquals(new Outcome(137, "main\nloaded\n1 waiting\n", ""), killed.await());
    pool.awaitIdle();
    assertEquals(stock, pooled(library, "leave-open"), () -> pool.logs());
    pool.assertOneJvmServedLast(RUNS + 2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "thread-ignores",
        "thread-attached",
        "thread-calls",
        "loop",
        "sleep",
        "sleep-compiled",
        "call-waits",
        "call-unregistered",
        "call-back",
        "call-exit",
        "call-halt",
        "exit",
        "exit-in-load",
        "exit-process",
        "crash",
        "crash-in-thread",
        "abort",
        "fatal"
      })
  void whatCannotBeResetEndsTheJvm(String what) throws Exception {
    Outcome stock = cold(what);
    assertNotEquals(0, stock.status(), stock.toString());
    assertEndsItsJvm(what, stock);
  }

  private void assertEndsItsJvm(String what, Outcome stock) throws Exception {
    List<Long> jvms = new ArrayList<>();
    for (int run = 1; run <= 2; run++) {
      // The run that cannot be reset is the second of its JVM.
      assertEquals(0, pooled(library, "count").status());
      assertEquals(stock, pooled(library, what), () -> pool.logs());
      pool.assertOneJvmServedLast(2);
      jvms.add(pool.servedLast());
    }
    assertNotEquals(jvms.get(0), jvms.get(1), "the JVM that served the next run");
    if (!Pool.CLONES) {
      Run.await("the JVMs have ended", () -> pool.sockets().isEmpty());
    }
  }

  /** Rights and other attributes of the process, in the order of natives.c. */
  @ParameterizedTest
  @CsvSource({
    "0, NoNewPrivs:\t0",
    "1, timer slack: ",
    "2, personality: 0",
    "3, namespace uts: ",
    "4, child subreaper: 0",
    "5, signal at death of parent: ",
    "6, memory failure policy: ",
    "7, input and output of memory: 0"
  })
  void whatARunGivesUpEndsTheJvm(int kind, String had) throws Exception {
    String what = "give-up " + kind;
    Outcome stock = cold(what);
    assumeTrue(stock.status() == 3, "needs the right to do it");
    assertEndsItsJvm(what, stock);
    if (!Pool.CLONES) {
      assertTrue(pool.logs().contains("has changed its process, which had " + had), pool.logs());
    }
  }

  /** Without /proc nobody sees what is left of it. */
  @Test
  void aRunThatChangesItsRootFolderEndsTheJvm() throws Exception {
    String what = "give-up 8";
    Outcome stock = cold(what);
    assumeTrue(stock.status() == 3, "needs the right to do it");
    assertEndsItsJvm(what, stock);
    if (!Pool.CLONES) {
      assertTrue(pool.logs().contains("cannot list threads"), pool.logs());
    }
  }

  @Test
  @Tag("reuse")
  void aLibraryOnTheListRetiresTheJvm() throws Exception {
    Outcome stock = cold("count");
    Files.writeString(
        pool.userFolder().resolve("libraries"),
        "# state that does not come back\nretire libnat*.so\n",
        StandardOpenOption.CREATE);
    for (int run = 1; run <= 2; run++) {
      assertEquals(0, pooled(Path.of("none"), "nothing").status());
      assertEquals(stock, pooled(library, "count"), () -> pool.logs());
      pool.assertOneJvmServedLast(2);
      Run.await("the JVM has ended", () -> pool.sockets().isEmpty());
      assertTrue(pool.logs().contains("the run has used libnatives.so"), () -> pool.logs());
    }
  }

  /** Services of libc for names stay loaded, and so does what they are linked to. */
  private void compileService() throws Exception {
    Path work = pool.work();
    Programs.compileLibrary(work.resolve("libneeded.so"), "service");
    Programs.compileLibrary(
        work.resolve("libnss_own.so.2"), "service", "-lneeded", "-Wl,-z,nodelete");
  }

  @Test
  void whatServicesOfNamesAreLinkedToMayStay() throws Exception {
    compileService();
    Outcome stock = cold("service");
    assertFalse(stock.out().contains("WRONG"), stock.toString());
    for (int run = 1; run <= RUNS; run++) {
      assertEquals(stock, pooled(library, "service"), () -> pool.logs());
    }
    pool.assertOneJvmServedLast(RUNS);
  }

  /** It may have changed its state. */
  @Test
  @Tag("reuse")
  void aRunThatUsesItItselfRetiresTheJvm() throws Exception {
    compileService();
    Path linked =
        Programs.compileLibrary(pool.work().resolve("liblinked.so"), "natives", "-lneeded");
    for (Path of : List.of(library, linked)) {
      String what = of.equals(linked) ? "service" : "service-and-needed";
      assertEquals(0, pooled(of, what).status());
      Run.await("the JVM has ended", () -> pool.sockets().isEmpty());
      String end = pool.logs().substring(pool.logs().lastIndexOf("doubts"));
      assertTrue(end.contains("library libneeded.so stays loaded"), () -> pool.logs());
    }
  }

  /** In a namespace of its own, of which there are few. */
  @Test
  @Tag("reuse")
  void aRunThatOpensLibrariesApartRetiresTheJvm() throws Exception {
    compileService();
    Outcome stock = cold("apart");
    assertTrue(stock.out().contains("apart 1\n"), stock.toString());
    for (int run = 1; run <= 2; run++) {
      assertEquals(stock, pooled(library, "apart"), () -> pool.logs());
      Run.await("the JVM has ended", () -> pool.sockets().isEmpty());
      assertTrue(pool.logs().contains("library libneeded.so stays loaded"), () -> pool.logs());
    }
  }

  /** What its code has written to streams of the C library does not come out of a killed run. */
  @Test
  void buffersOfAKilledRunAreDropped() throws Exception {
    for (int i = 1; i <= 2; i++) {
      List<String> command = Pool.command(Home.JAVA, arguments(library, "print-killed"));
      Run run = pool.start(pool.builder(command)).awaitOut("waiting");
      pool.awaitTraced(i);
      run.signal("KILL");
      assertEquals(new Outcome(137, "main\nloaded\nwaiting\n", ""), run.await());
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(2);
  }
}
