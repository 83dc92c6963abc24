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
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Threads that sit in system calls, wait, or spin end with the run, silently, and the JVM serves
 * the next run.
 */
@NeedsHome
@Tag("clones")
class ThreadsIT {
  private static final int RUNS = 5;
  private static final Outcome EXITED = new Outcome(12, "all there\nhook\n", "");

  private Pool pool;
  private Path classes;
  private RandomAccessFile locked;
  private FileLock lock;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    classes = Programs.compile(pool.work().resolve("classes"), "Blocks");
    Path work = pool.work();
    assertEquals(
        0,
        new ProcessBuilder("mkfifo", work.resolve("fifo") + "", work.resolve("in") + "")
            .start()
            .waitFor());
    locked = new RandomAccessFile(work.resolve("locked").toFile(), "rw");
    lock = locked.getChannel().lock();
  }

  @AfterEach
  void closePool() throws Exception {
    lock.release();
    locked.close();
    pool.close();
  }

  /** The names of all places where a thread of the program can be. */
  private static List<String> allPlaces() throws Exception {
    List<String> all = new ArrayList<>();
    Matcher places =
        Pattern.compile("case \"([a-z-]+)\":\n +return").matcher(Files.readString(source()));
    while (places.find()) {
      all.add(places.group(1));
    }
    assertTrue(all.size() > 40, () -> all.toString());
    return all;
  }

  private static Path source() {
    return Programs.source("Blocks");
  }

  private Run start(Path java, String way, int count, List<String> places) throws Exception {
    return start(java, List.of(), way, count, places);
  }

  /** Its standard input is a pipe into which nobody writes. */
  private Run start(Path java, List<String> options, String way, int count, List<String> places)
      throws Exception {
    List<String> command =
        new ArrayList<>(List.of("bash", "-c", "exec 0<>in; exec \"$@\"", "-", java.toString()));
    command.addAll(options);
    command.addAll(List.of("-Xmx512m", "-Xss256k", "-cp", classes.toString(), "Blocks", way));
    command.add(Integer.toString(count));
    command.addAll(places);
    return pool.start(pool.builder(command));
  }

  @ParameterizedTest
  @ValueSource(strings = {"exit", "halt", "return"})
  void threadsEndSilentlyWhereverTheyAre(String way) throws Exception {
    List<String> places = allPlaces();
    if (way.equals("return")) {
      places.removeIf(place -> place.startsWith("monitor")); // main leaves it
    }
    Outcome stock = start(Home.COLD_JAVA, way, 2, places).await();
    assertTrue(stock.out().startsWith("all there\n"), stock.toString());
    for (int run = 1; run <= RUNS; run++) {
      Outcome outcome = start(Home.JAVA, way, 2, places).await();
      assertEquals(stock, outcome, () -> pool.logs());
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(RUNS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TERM", "KILL"})
  void threadsEndSilentlyBySignal(String signal) throws Exception {
    for (int run = 1; run <= 2; run++) {
      Run pooled = start(Home.JAVA, "stay", 1, allPlaces()).awaitOut("all there");
      pool.awaitTraced(run);
      pooled.signal(signal);
      Outcome expected =
          signal.equals("TERM")
              ? new Outcome(143, "all there\nhook\n", "")
              : new Outcome(137, "all there\n", "");
      assertEquals(expected, pooled.await(), () -> pool.logs());
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(2);
  }

  /** Only the end of the loop is a safepoint in code of C2. */
  @ParameterizedTest
  @ValueSource(strings = {"exit", "halt"})
  void codeWithoutSafepointsEnds(String way) throws Exception {
    List<String> loops = List.of("spin-counted", "park-loop", "monitor");
    for (int run = 1; run <= RUNS; run++) {
      Outcome outcome =
          start(
                  Home.JAVA,
                  List.of("-XX:+UseSerialGC", "-XX:-UseCountedLoopSafepoints", "-Xbatch"),
                  way,
                  2,
                  loops)
              .await();
      String hook = way.equals("exit") ? "hook\n" : "";
      assertEquals(new Outcome(12, "all there\n" + hook, ""), outcome, () -> pool.logs());
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(RUNS);
  }

  @Test
  void thousandsOfThreadsEnd() throws Exception {
    List<String> places =
        List.of("park-loop", "wait", "monitor", "sleep-loop", "read-lock", "socket-read", "select");
    for (int run = 1; run <= 2; run++) {
      assertEquals(EXITED, start(Home.JAVA, "exit", 300, places).await(), () -> pool.logs());
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(2);
  }

  /** What other threads or processes take of the machine does not count. */
  @Test
  void nativeCodeThatWaitsForAProcessorEnds() throws Exception {
    Programs.compile(classes, "Crowd");
    for (int run = 1; run <= RUNS; run++) {
      Outcome outcome =
          pool.start(pool.builder(List.of(Home.JAVA + "", "-cp", classes + "", "Crowd"))).await();
      assertEquals(new Outcome(12, "all there\n", ""), outcome, () -> pool.logs());
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(RUNS);
  }

  /** Each run of one JVM ends like this. */
  private void assertEachRunEnds(Outcome expected, List<String> arguments) throws Exception {
    for (int run = 0; run < RUNS; run++) {
      assertEquals(expected, pool.run(arguments), pool::logs);
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(RUNS);
  }

  /** The thread that waits for the others is one of the run, with a number and a group. */
  @Test
  void whatWaitsAfterMainIsAThreadOfTheRun() throws Exception {
    Path program = Programs.compile(pool.work().resolve("after"), "AfterMain");
    List<String> arguments = List.of("-cp", program.toString(), "AfterMain");
    Outcome stock = pool.stock(arguments);
    assertEquals(0, stock.status(), stock.toString());
    assertEachRunEnds(stock, arguments);
  }

  /** One that others start meanwhile would find what these leave half done. */
  @Test
  void noThreadBeginsAmongThoseThatEnd() throws Exception {
    Programs.compile(classes, "Starters");
    List<String> arguments = List.of("-Xss256k", "-cp", classes.toString(), "Starters");
    Outcome silent = new Outcome(12, "", "");
    assertEquals(silent, pool.stock(arguments));
    assertEachRunEnds(silent, arguments);
  }

  /** Their objects, which the VM's service thread gives up late, lead to the locks they had. */
  @Test
  void threadsThatHaveEndedLeaveNothing() throws Exception {
    Programs.compile(classes, "Workers");
    assertEachRunEnds(
        new Outcome(0, "all there\n", ""),
        List.of("-Xmx512m", "-cp", classes.toString(), "Workers"));
  }

  /** It is in the cleaner's list before it has its action. */
  @Test
  void whatAThreadWasRegisteringWithTheCleanerDoesNothing() throws Exception {
    Programs.compile(classes, "Unregistered");
    String open = "--add-opens=java.base/jdk.internal.ref=ALL-UNNAMED";
    assertEachRunEnds(
        new Outcome(0, "left\n", ""), List.of(open, "-cp", classes.toString(), "Unregistered"));
  }

  /** Not the thread of the JVM that calls them. */
  @ParameterizedTest
  @ValueSource(strings = {"collection waits", "collection computes", "pool asks", "pool waits"})
  void listenersEndWithTheRun(String what) throws Exception {
    Programs.compile(classes, "Listeners");
    List<String> arguments = new ArrayList<>(List.of("-cp", classes.toString(), "Listeners"));
    arguments.addAll(List.of(what.split(" ")));
    Outcome told = new Outcome(7, "told\n", "");
    assertEquals(told, pool.stock(arguments));
    assertEachRunEnds(told, arguments);
  }

  /** A thread that stays may have been unparked by the run before. */
  @Test
  void nobodyHasUnparkedMain() throws Exception {
    Programs.compile(classes, "Parks");
    for (int run = 0; run < 4; run++) {
      Outcome outcome = pool.run("-cp", classes.toString(), "Parks");
      assertEquals(new Outcome(0, "has waited\n", ""), outcome, pool::logs);
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(4);
  }

  /** Threads that somebody has suspended, and those that wait for each other. */
  @ParameterizedTest
  @ValueSource(strings = {"suspended", "main", "monitors", "initializers"})
  void threadsEndThatCannotGoOn(String why) throws Exception {
    Programs.compile(classes, "Stuck");
    List<String> arguments = List.of("-cp", classes.toString(), "Stuck", why);
    Outcome stock = pool.stock(arguments);
    assertEquals(3, stock.status(), stock.toString());
    for (int run = 0; run < 3; run++) {
      assertEquals(stock, pool.run(arguments), pool::logs);
      pool.awaitIdle();
    }
    if (why.equals("suspended") || why.equals("main")) {
      pool.assertOneJvmServedLast(3);
    } else if (!Pool.CLONES) {
      assertTrue(pool.logs().contains("threads of the run wait for each other"), pool::logs);
    }
  }
}
