// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import io.hottub.it.harness.Run;
import io.hottub.protocol.KeeperState;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Signals that reach the client, and the death of each process in the middle of a run. */
@NeedsHome
@Tag("clones")
class SignalIT {
  private static final int KILLED = 137;
  private static final int LATE_RUNS = 10;
  private static final int EARLY_RUNS = 60;
  private static final long EARLY_STEP_NANOS = 500_000;
  private static final int PIPE_CAPACITY = 65_536;
  private static final long UNTIL_A_SIGNAL_ARRIVES_MS = 500;

  private Pool pool;
  private Path classes;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    classes = Programs.compile(pool.work().resolve("classes"), "Waits");
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  /** A run that will wait; no signal is ignored, whatever the test itself was started with. */
  private Run start(Path java, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("env", "--default-signal", java.toString()));
    command.addAll(List.of("-cp", classes.toString(), "Waits"));
    command.addAll(List.of(arguments));
    return pool.start(pool.builder(command));
  }

  private Run startWaiting(Path java, String... arguments) throws Exception {
    int traced = pool.servedBy().size();
    Run run = start(java, arguments).awaitOut("waiting");
    long process = run.pid();
    if (java.equals(Home.JAVA)) {
      pool.awaitTraced(traced + 1);
      process = pool.servedLast();
      assertNotEquals(0, process, () -> "a cold run" + pool.logs());
    }
    awaitAsleep(process);
    return run;
  }

  /** What says that it waits still runs, for a moment, to come back from saying it. */
  private static void awaitAsleep(long process) throws Exception {
    Run.await(
        "all threads of " + process + " wait",
        () -> {
          try (Stream<Path> threads = Files.list(Path.of("/proc/" + process + "/task"))) {
            for (Path thread : threads.toList()) {
              if (Run.state(thread) != 'S') {
                return false;
              }
            }
          }
          return true;
        });
  }

  private Outcome signalled(Path java, String signal) throws Exception {
    Run run = startWaiting(java);
    run.signal(signal);
    return run.await();
  }

  @ParameterizedTest
  @CsvSource({"TERM,143", "INT,130", "HUP,129", "KILL,137", "USR1,138", "ABRT,134", "ALRM,142"})
  void endsTheRunAsOnAStockJvm(String signal, int status) throws Exception {
    Outcome stock = signalled(Home.COLD_JAVA, signal);
    assertEquals(status, stock.status());
    for (int run = 1; run <= 2; run++) {
      Outcome outcome = signalled(Home.JAVA, signal);
      assertEquals(status, outcome.status(), "run " + run + pool.logs());
      // A stock JVM's report of a crash names its process.
      if (!signal.equals("ABRT")) {
        assertEquals(stock, outcome, "run " + run);
      }
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(2);
  }

  private static List<String> reports(Path folder) throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(f -> f.getFileName().toString()).filter(f -> f.startsWith("hs_")).toList();
    }
  }

  /** It takes the signal for a fault of its own, and says who has sent it. */
  @ParameterizedTest
  @ValueSource(strings = {"SEGV", "BUS", "FPE", "ILL"})
  void theSignalOfAFaultIsReportedAsByAStockJvm(String signal) throws Exception {
    List<Outcome> outcomes = new ArrayList<>();
    for (Path java : List.of(Home.COLD_JAVA, Home.JAVA, Home.JAVA)) {
      outcomes.add(
          signalled(java, signal)
              .normalised(
                  text ->
                      text.replaceAll("hs_err_pid[0-9]+", "REPORT")
                          .replaceAll("\\b[0-9a-fx]*[0-9][0-9a-fx]*\\b", "N")));
      assertEquals(outcomes.size(), reports(pool.work()).size(), "reports" + pool.logs());
    }
    assertEquals(134, outcomes.get(0).status());
    assertTrue(outcomes.get(0).out().contains("(sent by kill)"), outcomes.toString());
    assertEquals(outcomes.get(0), outcomes.get(1), pool.logs());
    assertEquals(outcomes.get(0), outcomes.get(2), pool.logs());
    assertFalse(pool.servedBy().contains(0L), pool.logs());
  }

  /** A run that waits, with its first child, for its client, which is stopped. */
  private Run atFirstChild(String... status) throws Exception {
    Path go = pool.work().resolve("go");
    Files.deleteIfExists(go);
    Path folder = Programs.compile(pool.work().resolve("child"), "FirstChild");
    List<String> command = new ArrayList<>(List.of(Home.JAVA.toString(), "-cp"));
    command.addAll(List.of(folder.toString(), "FirstChild", go.toString()));
    command.addAll(List.of(status));
    int traced = pool.servedBy().size();
    Run run = pool.start(pool.builder(command)).awaitOut("waiting");
    pool.awaitTraced(traced + 1);
    run.signal("STOP");
    Files.createFile(go);
    run.awaitOut("starting");
    return run;
  }

  @Test
  @Tag("reuse")
  void aRunThatIsKilledAtItsFirstChildCostsNoJvm() throws Exception {
    for (int i = 1; i <= 2; i++) {
      Run run = atFirstChild();
      Thread.sleep(100);
      run.signal("KILL");
      assertEquals(KILLED, run.await().status());
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(2);
  }

  @Test
  @Tag("reuse")
  void aRunThatExitsAtItsFirstChildCostsNoJvm() throws Exception {
    for (int i = 1; i <= 2; i++) {
      int former = ended();
      Run run = atFirstChild("3");
      Run.await("the run has ended", () -> ended() > former);
      run.signal("CONT");
      assertEquals(3, run.await().status());
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(2);
  }

  private int ended() {
    return (int) pool.logs().lines().filter(line -> line.contains("ENDING (run")).count();
  }

  /** Of a container nothing else stays: its working directory goes, with the report in it. */
  @Test
  void theKeepersLogSaysWhereAJvmHasCrashed() throws Exception {
    Run run = startWaiting(Home.JAVA, "not-for-the-log");
    long jvm = pool.state().jvmPid();
    run.signal("SEGV");
    assertEquals(134, run.await().status());
    Run.await("the JVM has ended", () -> pool.logs().contains("JVM " + jvm + " died of signal 6"));
    String logs = pool.logs();
    assertTrue(logs.contains("JVM " + jvm + " has crashed:\n# A fatal error"), logs);
    for (String line : List.of("#  SIGSEGV", "# C  [", "Current thread (", "Native frames:")) {
      assertTrue(logs.contains("\n" + line), line + " in " + logs);
    }
    assertFalse(logs.contains("not-for-the-log"), logs);
  }

  /** The VM catches USR2 and PIPE itself; it warns of a USR2 that it has not sent. */
  @ParameterizedTest
  @ValueSource(strings = {"USR2", "PIPE", "CONT", "WINCH", "URG", "CHLD"})
  void whatAStockJvmSurvivesARunSurvives(String signal) throws Exception {
    assumeFalse(signal.equals("USR2") && Home.IS_DEBUG, "a debug build of HotSpot dies of it");
    List<Outcome> outcomes = new ArrayList<>();
    for (Path java : List.of(Home.COLD_JAVA, Home.JAVA, Home.JAVA)) {
      Run run = startWaiting(java);
      run.signal(signal);
      if (signal.equals("USR2")) {
        run.awaitOut("stray");
      }
      Thread.sleep(100);
      assertTrue(run.isAlive(), signal);
      run.signal("TERM");
      // The time since the start, and who has sent the signal.
      outcomes.add(run.await().normalised(text -> text.replaceAll("[0-9]+", "N")));
      pool.awaitIdle();
    }
    assertEquals(143, outcomes.get(0).status());
    assertEquals(outcomes.get(0), outcomes.get(1));
    assertEquals(outcomes.get(0), outcomes.get(2));
    pool.assertOneJvmServedLast(2);
  }

  @Test
  void quitDumpsTheThreads() throws Exception {
    for (int i = 1; i <= 3; i++) {
      Run run = startWaiting(Home.JAVA);
      run.signal("QUIT");
      run.awaitOut("Full thread dump").awaitOut("\"main\"").awaitOut("JNI global refs");
      run.signal("TERM");
      Outcome outcome = run.await();
      assertEquals(143, outcome.status());
      assertTrue(outcome.out().contains("Waits.main(Waits.java"), outcome.out());
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(3);
  }

  /**
   * A stock JVM lets it in when its handler is there. Not compared: in 3 of 25 starts it then died
   * of "java.lang.InternalError: Bad level: 2".
   */
  @Test
  void aQuitThatTheCallerHasBlockedEndsNoRun() throws Exception {
    String block =
        "use POSIX; sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGQUIT)); kill 'QUIT', $$;"
            + " exec @ARGV";
    for (int i = 1; i <= 3; i++) {
      List<String> command = new ArrayList<>(List.of("perl", "-e", block));
      command.addAll(Pool.command(Home.JAVA, List.of("-cp", classes.toString(), "Waits")));
      Run run = pool.start(pool.builder(command));
      run.awaitOut("Full thread dump").awaitOut("waiting");
      run.signal("TERM");
      assertEquals(143, run.await().status(), "run " + i);
      pool.awaitIdle();
    }
    assertEquals(List.of(), pool.reasons());
  }

  @ParameterizedTest
  @ValueSource(strings = {"USR1", "CHLD"})
  void aHandlerEndsWithItsRun(String signal) throws Exception {
    Run catches = startWaiting(Home.JAVA, signal.toLowerCase(Locale.ROOT));
    catches.signal(signal);
    catches.awaitOut("caught SIG" + signal);
    catches.signal("TERM");
    assertEquals(143, catches.await().status());
    pool.awaitIdle();
    Outcome stock = ended(Home.COLD_JAVA, signal);
    assertEquals(stock, ended(Home.JAVA, signal));
    pool.awaitIdle();
  }

  /** By a signal, or by another one if that is harmless. */
  private Outcome ended(Path java, String signal) throws Exception {
    if (!signal.equals("CHLD")) {
      return signalled(java, signal);
    }
    Run run = startWaiting(java);
    run.signal(signal);
    run.signal("TERM");
    return run.await();
  }

  /** Some come before the run is entered, some in that moment, some when main runs. */
  @Test
  void aSignalAtTheBeginEndsTheRun() throws Exception {
    assertEquals(143, signalled(Home.JAVA, "TERM").status());
    pool.awaitIdle();
    for (int run = 0; run < EARLY_RUNS; run++) {
      Run early = start(Home.JAVA);
      LockSupport.parkNanos(run * EARLY_STEP_NANOS);
      early.signal("TERM");
      assertEquals(143, early.await().status(), () -> pool.logs());
      pool.awaitIdle();
    }
  }

  /** The JVM cannot begin the run, as nobody reads the line that it has to write before. */
  @Test
  void aSignalBetweenTheEntryAndTheBeginEndsTheRun() throws Exception {
    assertEquals(143, signalled(Home.JAVA, "TERM").status());
    pool.awaitIdle();
    Path fifo = pool.work().resolve("fifo");
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
    List<String> command = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" 2>" + fifo, "sh"));
    command.addAll(List.of("env", "--default-signal", "JDK_JAVA_OPTIONS=-Dany=thing"));
    command.addAll(List.of(Home.JAVA.toString(), "-cp", classes.toString(), "Waits"));
    try (RandomAccessFile unread = new RandomAccessFile(fifo.toFile(), "rw")) {
      unread.write(new byte[PIPE_CAPACITY]);
      Run early = pool.start(pool.builder(command));
      pool.awaitTraced(2);
      early.signal("TERM");
      Thread.sleep(UNTIL_A_SIGNAL_ARRIVES_MS);
      assertEquals("", early.out(), "it has not begun");
      unread.readFully(new byte[PIPE_CAPACITY]);
      assertEquals(143, early.await().status(), () -> pool.logs());
    }
    pool.awaitIdle();
    pool.assertOneJvmServedLast(2);
  }

  /** What a signal starts when its run has ended is no part of any run. */
  @Test
  void signalsInTheLastMomentEndWithTheirRun() throws Exception {
    Programs.compile(classes, "LateSignals");
    for (int run = 1; run <= LATE_RUNS; run++) {
      List<String> command = List.of(Home.JAVA + "", "-cp", classes + "", "LateSignals");
      int status = pool.start(pool.builder(command)).await().status();
      assertTrue(status == 2 || status == 3, () -> "status " + status + pool.logs());
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(LATE_RUNS);
  }

  @Test
  void aStoppedRunContinues() throws Exception {
    // timeout makes a process group. The kernel stops none that has no parent to wake it, as that
    // of
    // this test may be.
    List<String> command = new ArrayList<>(List.of("timeout", "600", "env", "--default-signal"));
    command.add(Home.JAVA.toString());
    command.addAll(List.of("-cp", classes.toString(), "Waits"));
    Run run = pool.start(pool.builder(command)).awaitOut("waiting");
    pool.awaitTraced(1);
    long client = pool.state().clientPid();
    Run.signal("TSTP", client);
    Run.await("the client is stopped", () -> processState(client) == 'T');
    Run.await("the JVM is stopped", () -> processState(pool.state().jvmPid()) == 'T');
    Run.signal("CONT", client);
    Run.await("the JVM runs", () -> processState(pool.state().jvmPid()) != 'T');
    Run.signal("TERM", client);
    assertTrue(run.await().out().equals("waiting\nhook\n"));
  }

  @Test
  void aRunWithoutAParentThatCouldWakeItDoesNotStop() throws Exception {
    for (Path java : List.of(Home.COLD_JAVA, Home.JAVA)) {
      List<String> command = new ArrayList<>(List.of("setsid", "-w", "env", "--default-signal"));
      command.addAll(List.of(java.toString(), "-cp", classes.toString(), "Waits"));
      Run run = pool.start(pool.builder(command)).awaitOut("waiting");
      if (java.equals(Home.JAVA)) {
        pool.awaitTraced(1);
      }
      run.signal("TSTP");
      run.signal("TERM");
      assertEquals(new Outcome(143, "waiting\nhook\n", ""), run.await());
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(1);
  }

  private static char processState(long pid) throws Exception {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    return stat.charAt(stat.lastIndexOf(')') + 2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"client", "jvm", "keeper"})
  void killingAProcessOfARunKillsTheRunOnly(String victim) throws Exception {
    ToLongFunction<KeeperState> pid =
        switch (victim) {
          case "client" -> KeeperState::clientPid;
          case "jvm" -> KeeperState::jvmPid;
          default -> KeeperState::keeperPid;
        };
    // In the first run of a JVM, and in one that follows another.
    for (int before = 0; before < 2; before++) {
      for (int i = 0; i < before; i++) {
        assertEquals(143, signalled(Home.JAVA, "TERM").status());
        pool.awaitIdle();
      }
      Run run = startWaiting(Home.JAVA);
      long jvm = pool.state().jvmPid();
      Run.signal("KILL", pid.applyAsLong(pool.state()));
      assertEquals(new Outcome(KILLED, "waiting\n", ""), run.await());
      if (!victim.equals("client")) {
        Run.await("the JVM is gone", () -> Run.hasEnded(jvm));
      }
      Outcome next = signalled(Home.JAVA, "TERM");
      assertEquals(new Outcome(143, "waiting\nhook\n", ""), next, pool.logs());
      pool.awaitIdle();
      pool.assertOneJvmServedLast(1);
      pool.retireAll();
    }
  }
}
