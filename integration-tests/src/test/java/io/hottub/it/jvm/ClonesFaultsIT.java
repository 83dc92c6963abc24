// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.ControlGroups;
import io.hottub.it.harness.ControlGroups.Limit;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import io.hottub.it.harness.Run;
import io.hottub.protocol.KeeperSocket;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Templates and clones of which something is killed, stopped, or refused by the kernel. What goes
 * wrong while a run is in a clone is in {@code ClonesIT}.
 */
@NeedsHome
class ClonesFaultsIT {
  private static final long LONGER_THAN_AN_ANSWER_MS = 200;

  /** What a client waits for a template that says nothing is 2 s; the rest is a busy machine. */
  private static final Duration SILENCE = Duration.ofSeconds(10);

  @TempDir private static Path classes;
  private static Outcome stock;

  private final List<Long> stopped = new ArrayList<>();
  private Pool pool;
  private ControlGroups groups;
  private String group;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    Files.writeString(pool.userFolder().resolve("limits"), "isolation clone\ntraining_runs 1\n");
    if (stock == null) {
      Programs.compile(classes, "Small", "Waits", "Burns");
      stock = pool.stock(of("Small"));
    }
  }

  @AfterEach
  void closePool() throws Exception {
    for (long pid : stopped) {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
    pool.close();
    if (groups != null) {
      groups.removeAll();
    }
  }

  private List<String> of(String... arguments) {
    List<String> all = new ArrayList<>(List.of("-XX:+UseSerialGC", "-cp", classes.toString()));
    all.addAll(List.of(arguments));
    return all;
  }

  private Run start(String... arguments) throws Exception {
    return pool.start(pool.builder(Pool.command(Home.JAVA, of(arguments))));
  }

  /** A run with the output and status of a stock JVM; its line of the trace. */
  private String assertARunIsRight() throws Exception {
    assertEquals(List.of(), pool.run(of("Small")).differences(stock), pool::logs);
    List<String> lines = Files.readAllLines(pool.trace());
    return lines.get(lines.size() - 1);
  }

  private Long templateKeeper() throws Exception {
    List<Path> links = pool.files("template");
    return links.isEmpty() ? 0 : Long.parseLong(Files.readSymbolicLink(links.get(0)).toString());
  }

  /** Trains a JVM; the keeper of the template, beside which a clone is ready. */
  private long train() throws Exception {
    assertARunIsRight();
    pool.awaitIdle();
    assertTrue(templateKeeper() != 0, pool::logs);
    return templateKeeper();
  }

  private static long child(long keeper) {
    return ProcessHandle.of(keeper)
        .orElseThrow()
        .children()
        .filter(c -> !c.info().command().orElse("").endsWith("/keeper"))
        .findFirst()
        .orElseThrow()
        .pid();
  }

  private long keeperOfReadyClone() throws Exception {
    for (KeeperSocket socket : pool.sockets()) {
      if (socket.idleHint()) {
        return socket.keeperPid();
      }
    }
    throw new AssertionError("no clone is ready" + pool.logs());
  }

  private long find(String process, long templateKeeper) throws Exception {
    return switch (process) {
      case "keeper of the template" -> templateKeeper;
      case "template" -> child(templateKeeper);
      case "keeper of the clone" -> keeperOfReadyClone();
      case "clone" -> child(keeperOfReadyClone());
      default -> throw new AssertionError(process);
    };
  }

  private static void end(long pid) throws Exception {
    Run.signal("KILL", pid);
    Run.await("it has ended", () -> Run.hasEnded(pid));
  }

  private void stop(long pid) throws Exception {
    stopped.add(pid);
    Run.signal("STOP", pid);
    Run.await(
        "it is stopped",
        () -> Files.readString(Path.of("/proc/" + pid + "/status")).contains("\tT (stopped)"));
  }

  private void resume(long pid) throws Exception {
    Run.signal("CONT", pid);
    stopped.remove(pid);
  }

  /** So that the next run has to ask the template. */
  private void endReadyClone() throws Exception {
    end(keeperOfReadyClone());
  }

  /** Runs until a clone of some template serves one; each of them is right. */
  private int runsUntilAClone(int most) throws Exception {
    for (int i = 1; i <= most; i++) {
      if (assertARunIsRight().contains("\"isolation\":\"clone\"")) {
        return i;
      }
      Thread.sleep(100);
      // A run that found its JVM busy would train another one.
      Run.await("no JVM is being reset", this::noneIsBusy);
    }
    throw new AssertionError("no clone in " + most + " runs" + pool.logs());
  }

  private boolean noneIsBusy() throws Exception {
    return pool.states().stream()
        .noneMatch(state -> Set.of("LEASED", "RESETTING").contains(state.state().name()));
  }

  /** Every file that stands for a process stands for one that lives. */
  private void assertOnlyTheLivingAreThere() throws Exception {
    List<String> dead = new ArrayList<>();
    for (String prefix : List.of("i-", "b-", "l-", "w-", "v-", "template")) {
      for (Path file : pool.files(prefix)) {
        String pid =
            Files.isSymbolicLink(file)
                ? Files.readSymbolicLink(file).toString()
                : file.getFileName().toString().substring(2);
        if (!Files.exists(Path.of("/proc", pid)) && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
          dead.add(pool.userFolder().relativize(file).toString());
        }
      }
    }
    assertEquals(List.of(), dead, pool::logs);
  }

  // ---- killed

  @ParameterizedTest
  @ValueSource(strings = {"template", "keeper of the template", "clone", "keeper of the clone"})
  void thePoolServesAgainWhateverIsKilledBeforeARun(String killed) throws Exception {
    long keeper = train();
    end(find(killed, keeper));
    assertARunIsRight();
    runsUntilAClone(20);
  }

  @Test
  void nothingIsLeftOfAPoolThatIsKilled() throws Exception {
    long keeper = train();
    long template = child(keeper);
    long cloneKeeper = keeperOfReadyClone();
    long clone = child(cloneKeeper);
    end(keeper);
    end(cloneKeeper);
    for (long jvm : List.of(template, clone)) {
      Run.await("a JVM ends with its keeper", () -> Run.hasEnded(jvm));
    }
    // Who starts a JVM clears away what the dead have left.
    pool.run(List.of("-XX:+UseParallelGC", "-cp", classes.toString(), "Small"));
    pool.awaitIdle();
    assertOnlyTheLivingAreThere();
  }

  @ParameterizedTest
  @ValueSource(strings = {"template", "keeper of the template"})
  void aRunThatWaitsForACloneGoesOnWhenItsTemplateIsKilled(String killed) throws Exception {
    long keeper = train();
    long template = child(keeper);
    endReadyClone();
    stop(template);
    Run run = start("Small");
    Run.await("the template was asked", () -> isWaiting(run));
    end(killed.equals("template") ? template : keeper);
    assertEquals(List.of(), run.await().differences(stock), pool::logs);
    assertEquals(List.of("no-clone"), pool.reasons(), pool::logs);
    runsUntilAClone(20);
  }

  /** It has its own end of a connection, and waits: longer than for a keeper that answers. */
  private boolean isWaiting(Run run) throws Exception {
    if (!isPolling(run)) {
      return false;
    }
    Thread.sleep(LONGER_THAN_AN_ANSWER_MS);
    return isPolling(run);
  }

  private boolean isPolling(Run run) throws Exception {
    String waits = Files.readString(Path.of("/proc/" + run.pid() + "/wchan"));
    return waits.contains("poll") && pool.files("start.lock").stream().allMatch(this::isFree);
  }

  private boolean isFree(Path lock) {
    try {
      return new ProcessBuilder("flock", "-n", lock.toString(), "true").start().waitFor() == 0;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"waits for a clone", "is in a clone"})
  void aClientThatIsKilledLeavesNoRun(String moment) throws Exception {
    long keeper = train();
    long template = child(keeper);
    if (moment.equals("is in a clone")) {
      Run run = start("Waits").awaitOut("waiting");
      pool.awaitTraced(2);
      long clone = pool.servedLast();
      run.signal("KILL");
      assertEquals(new Outcome(137, "waiting\n", ""), run.await());
      Run.await("the clone has ended", () -> Run.hasEnded(clone));
    } else {
      endReadyClone();
      stop(template);
      Run run = start("Waits");
      Run.await("the template was asked", () -> isWaiting(run));
      run.signal("KILL");
      assertEquals(new Outcome(137, "", ""), run.await());
      resume(template);
    }
    assertEquals(1, runsUntilAClone(1), pool::logs);
    assertEquals(keeper, templateKeeper());
    pool.awaitIdle();
  }

  /** The JVM is stopped while it makes its first clone, so the runs do come meanwhile. */
  @Test
  void runsWaitForTheFirstClone() throws Exception {
    Run training = start("Burns", "1500");
    pool.awaitTraced(1);
    long jvm = pool.servedLast();
    assertEquals(new Outcome(0, "burnt\n", ""), training.await());
    Run.await("it is frozen", () -> logged("-> FREEZING") == 1);
    stop(jvm);
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      runs.add(start("Small"));
    }
    for (Run run : runs) {
      // On a busy machine the clone may have been made before the JVM was stopped.
      Run.await("it waits", () -> Run.hasEnded(run.pid()) || isWaiting(run));
    }
    resume(jvm);
    for (Run run : runs) {
      assertEquals(List.of(), run.await().differences(stock), pool::logs);
    }
    assertEquals(List.of(), pool.reasons(), pool::logs);
    assertEquals(3, Set.copyOf(pool.servedBy()).size(), () -> "processes" + pool.logs());
    pool.awaitIdle();
  }

  /** Its clones are told to retire when it has ended, just when they begin to be some. */
  @RepeatedTest(10)
  void aTemplateThatRetiresMakesTheClonesThatWereAskedFor() throws Exception {
    long keeper = train();
    long template = child(keeper);
    endReadyClone();
    stop(template);
    Run run = start("Small");
    Run.await("the template was asked", () -> isWaiting(run));
    Run.signal("TERM", keeper); // it retires
    Run.await("it was told", () -> logged("retiring: asked") == 1);
    resume(template);
    assertEquals(List.of(), run.await().differences(stock), pool::logs);
    assertEquals(List.of(), pool.reasons(), pool::logs);
    assertEquals(0, logged("does not belong"), pool::logs);
  }

  // ---- refused

  /** A control group with that keeper and its JVM; they get as many more threads as is said. */
  private void limit(long keeper, int more) throws Exception {
    groups = ControlGroups.limiting(Limit.PROCESSES);
    group = groups.make("clones");
    long jvm = child(keeper);
    for (long pid : List.of(keeper, jvm)) {
      groups.join(group, pid);
    }
    groups.limit(group, Limit.PROCESSES, groups.processes(group) + more);
  }

  private long logged(String text) throws Exception {
    return pool.logs().lines().filter(line -> line.contains(text)).count();
  }

  /** The kernel refuses the keeper of the clone, the clone, or some of its threads. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5})
  void runsAreColdWhileTheKernelRefusesClones(int more) throws Exception {
    long keeper = train();
    limit(keeper, more);
    assertRunsAreColdAWhile();
    groups.unlimit(group, Limit.PROCESSES);
    runsUntilAClone(100);
    assertEquals(keeper, templateKeeper());
  }

  /**
   * Enough for what the template touches, too little for the tables of a copy's pages. Without the
   * kernel's killer the system call fails.
   */
  @Test
  void runsAreColdWhileTheKernelHasNoMemoryForClones() throws Exception {
    long keeper = train();
    groups = ControlGroups.ofVersion1(Limit.MEMORY);
    group = groups.make("clones");
    groups.set(group, Limit.MEMORY, "memory.oom_control", "1");
    groups.limit(group, Limit.MEMORY, 256 << 10);
    groups.join(group, child(keeper));
    assertRunsAreColdAWhile();
    assertTrue(logged("Cannot allocate memory") > 0, pool::logs);
    groups.unlimit(group, Limit.MEMORY);
    runsUntilAClone(100);
    assertEquals(keeper, templateKeeper());
  }

  private void assertRunsAreColdAWhile() throws Exception {
    endReadyClone();
    int runs = 4;
    for (int i = 0; i < runs; i++) {
      assertTrue(assertARunIsRight().contains("\"served\":\"cold\""), pool::logs);
    }
    assertEquals(List.of("no-clone"), pool.reasons().stream().distinct().toList(), pool::logs);
    long refused = logged("no clones for a while");
    assertTrue(refused > 0 && refused < runs, refused + " of " + runs + pool.logs());
  }

  @Test
  void aJvmWhoseFirstCloneIsRefusedServesInReuseAndTriesAgain() throws Exception {
    Run training = start("Burns", "1500");
    pool.awaitTraced(1);
    long jvm = pool.servedLast();
    limit(ProcessHandle.of(jvm).orElseThrow().parent().orElseThrow().pid(), 0);
    assertEquals(new Outcome(0, "burnt\n", ""), training.await());
    Run.await("the first clone is refused", () -> logged("no template") == 1);
    pool.awaitIdle();
    String served = assertARunIsRight();
    assertTrue(served.contains("\"jvm_pid\":" + jvm + ","), () -> served + pool.logs());
    pool.awaitIdle();
    groups.unlimit(group, Limit.PROCESSES);
    runsUntilAClone(100);
    assertEquals(jvm, child(templateKeeper()));
  }

  // ---- stopped

  @ParameterizedTest
  @ValueSource(strings = {"template", "keeper of the template"})
  void oneRunAtMostWaitsForATemplateThatDoesNotAnswer(String silent) throws Exception {
    long keeper = train();
    endReadyClone();
    stop(find(silent, keeper));
    long begin = System.nanoTime();
    assertTrue(assertARunIsRight().contains("\"reason\":\"deadline\""), pool::logs);
    assertTrue(Duration.ofNanos(System.nanoTime() - begin).compareTo(SILENCE) < 0, pool::logs);
    assertTrue(assertARunIsRight().contains("\"served\":\"pool\""), pool::logs);
    assertEquals(1, pool.reasons().size(), pool::logs);
  }

  @Test
  void aTemplateThatAnswersLateGoesOn() throws Exception {
    long keeper = train();
    endReadyClone();
    stop(keeper);
    assertTrue(assertARunIsRight().contains("\"reason\":\"deadline\""), pool::logs);
    assertEquals(0, templateKeeper(), "it may not be asked again");
    resume(keeper);
    Run.await("it is the template again", () -> templateKeeper() == keeper);
    assertEquals(1, runsUntilAClone(1), pool::logs);
  }

  @Test
  void aTemplateThatNeverAnswersIsEnded() throws Exception {
    long keeper = train();
    endReadyClone();
    stop(find("template", keeper));
    assertARunIsRight();
    Run.await("its keeper has ended it", () -> Run.hasEnded(keeper));
    runsUntilAClone(20);
  }
}
