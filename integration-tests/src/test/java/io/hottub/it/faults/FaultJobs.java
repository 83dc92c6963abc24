// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Await;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import io.hottub.it.harness.Run;
import io.hottub.protocol.JvmState;
import io.hottub.protocol.KeeperConnection;
import io.hottub.protocol.KeeperSocket;
import io.hottub.protocol.KeeperState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The job that is disturbed, and what it may look like to its caller. */
final class FaultJobs {
  static final String COMPLETE = "complete";
  private static final int STATUS = 7;
  private static final int SIGNALLED = 128;
  private static final Duration ANSWER = Duration.ofSeconds(5);

  private final Pool pool;
  private final Path classes;
  private final Path entries;
  private final String expected;
  private int jobs;

  FaultJobs(Pool pool) throws Exception {
    this.pool = pool;
    this.classes = Programs.compile(pool.work().resolve("classes"), "FaultJob");
    this.entries = pool.work().resolve("entries");
    Job stock = start(List.of(), Home.COLD_JAVA, 0);
    Outcome outcome = stock.run().await();
    assertEquals(STATUS, outcome.status(), outcome.toString());
    this.expected = outcome.out();
  }

  Pool pool() {
    return pool;
  }

  /** A job that was started, under a name of its own. */
  record Job(String name, Run run) {}

  /** The arguments of java for a job. */
  List<String> arguments(String name, int ms) {
    return List.of(
        "-Xmx64m",
        "-cp",
        classes.toString(),
        "FaultJob",
        entries.toString(),
        name,
        Integer.toString(ms));
  }

  /**
   * Starts a job.
   *
   * @param prefix a program that runs it, with its arguments; may be empty
   * @param ms how long it works
   */
  Job start(List<String> prefix, Path java, int ms) throws IOException {
    ProcessBuilder builder = pool.builder(new ArrayList<>(prefix));
    String name = nextName();
    builder.command().add(java.toString());
    builder.command().addAll(arguments(name, ms));
    return new Job(name, pool.start(builder));
  }

  Job start(int ms) throws IOException {
    return start(List.of(), Home.JAVA, ms);
  }

  String nextName() {
    jobs++;
    return "job-" + jobs;
  }

  // ---- ends

  /**
   * Waits for a job's end. It is complete, or has died of a signal that it may have died of; then
   * it has written the beginning of what it writes. In no case was it run twice.
   */
  String end(Job job, Integer... signals) throws Exception {
    Outcome outcome = job.run().await();
    String what = job.name() + ": " + outcome;
    long runs = runsOf(job.name());
    if (outcome.status() == STATUS) {
      assertEquals(expected, outcome.out(), what);
      assertEquals("", outcome.err(), what);
      assertEquals(1, runs, what);
      return COMPLETE;
    }
    int signal = outcome.status() - SIGNALLED;
    assertTrue(Arrays.asList(signals).contains(signal), what);
    assertTrue(expected.startsWith(outcome.out()), what);
    assertTrue(runs <= 1, what);
    return "signal " + signal;
  }

  void assertComplete(Job job) throws Exception {
    assertEquals(COMPLETE, end(job));
  }

  long runsOf(String name) throws IOException {
    try (Stream<String> lines = Files.lines(entries)) {
      return lines.filter(name::equals).count();
    }
  }

  /**
   * Runs jobs, all of which have to be complete, until one is served by the pool.
   *
   * @return milliseconds until then
   */
  long awaitServing(Duration longest) throws Exception {
    long start = System.nanoTime();
    while (true) {
      assertComplete(start(0));
      long ms = (System.nanoTime() - start) / 1_000_000;
      if (pool.servedLast() != 0) {
        return ms;
      }
      assertTrue(ms < longest.toMillis(), () -> "the pool does not serve\n" + tail(pool.logs()));
      Thread.sleep(100);
    }
  }

  void assertServedBy(long jvm) throws IOException {
    long served = pool.servedLast();
    if (served != jvm) {
      // It may be damaged: another fault.
      String journal =
          tail(Files.readString(pool.userFolder().resolve("journal"), StandardCharsets.ISO_8859_1));
      assertEquals(jvm, served, "the JVM that has served, " + states() + "\n" + journal);
    }
  }

  private static String tail(String text) {
    return text.substring(Math.max(0, text.length() - 5_000));
  }

  // ---- keepers

  /** What the keepers that answer say. */
  List<KeeperState> states() throws IOException {
    List<KeeperState> states = new ArrayList<>();
    for (KeeperSocket socket : pool.sockets()) {
      try (KeeperConnection connection = KeeperConnection.open(socket, ANSWER)) {
        states.add(connection.status());
      } catch (IOException e) {
        // It has just ended, or is no keeper.
      }
    }
    return states;
  }

  /** The keeper that serves the next job: the only one of its kind, and idle. */
  KeeperSocket onlyKeeper() throws Exception {
    retireAll();
    awaitServing(ANSWER);
    pool.awaitIdle();
    long jvm = pool.servedLast();
    for (KeeperSocket socket : pool.sockets()) {
      try {
        if (Objects.equals(state(socket).jvmPid(), jvm)) {
          return socket;
        }
      } catch (IOException e) {
        // A stale one.
      }
    }
    throw new AssertionError("JVM " + jvm + " has gone\n" + tail(pool.logs()));
  }

  /** A keeper's socket while its JVM is idle (prefix "i-"), or at work ("b-"). */
  static Path path(String prefix, KeeperSocket socket) {
    return socket.folder().resolve(prefix + socket.keeperPid());
  }

  /** What the keeper of the only leased JVM says. */
  KeeperState leased() throws IOException {
    List<KeeperState> leased =
        states().stream().filter(state -> state.state() == JvmState.LEASED).toList();
    assertEquals(1, leased.size(), "leased JVMs");
    return leased.get(0);
  }

  KeeperState state(KeeperSocket socket) throws IOException {
    try (KeeperConnection connection = KeeperConnection.open(socket, ANSWER)) {
      return connection.status();
    }
  }

  /** Ends the idle JVMs, so that the next job starts one. */
  void retireAll() throws Exception {
    for (KeeperSocket socket : pool.sockets()) {
      try (KeeperConnection connection = KeeperConnection.open(socket, ANSWER)) {
        connection.retire();
      } catch (IOException e) {
        // It ends, or has left its socket behind.
        if (ProcessHandle.of(socket.keeperPid()).isEmpty()) {
          Files.deleteIfExists(path("i-", socket));
          Files.deleteIfExists(path("b-", socket));
        }
      }
    }
    Await.until(
        "the JVMs have ended",
        () -> states().stream().noneMatch(s -> s.state() != JvmState.LEASED));
  }

  /** Processes of the home below the pool's root: keepers and their JVMs. */
  List<Long> processes() throws IOException {
    List<Long> pids = new ArrayList<>();
    try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
      for (ProcessHandle process : all.toList()) {
        Path proc = Path.of("/proc", Long.toString(process.pid()));
        if (links(proc.resolve("exe")).startsWith(Home.path().resolve("lib/hottub").toString())
            && links(proc.resolve("cwd")).startsWith(pool.root().getParent().toString())) {
          pids.add(process.pid());
        }
      }
    }
    return Collections.unmodifiableList(pids);
  }

  private static String links(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      return "";
    }
  }
}
