// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.it.harness.Await;
import io.hottub.it.harness.Daemon;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.WaitingRuns;
import io.hottub.it.harness.WaitingRuns.WaitingRun;
import io.hottub.it.harness.YarnNode;
import io.hottub.protocol.KeeperSocket;
import io.hottub.protocol.KeeperState;
import io.hottub.protocol.PoolMarks;
import java.nio.file.Files;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Jumps of the wall clock of a whole node, ahead or back, and then the other way: NodeManager,
 * keepers, JVMs and clients see another time than before. None may cost a JVM or a run.
 */
final class ClockFaults {
  /** In it the NodeManager looks at the pool several times. */
  static final long LOOKS_MS = 500;

  /** Served by no JVM: the run was cold. */
  private static final long NONE = 0;

  private final FaultJobs jobs;
  private final Injector injector;
  private final YarnNode node;
  private final WaitingRuns runs;
  private final PoolMarks marks;

  ClockFaults(FaultJobs jobs, Injector injector, YarnNode node, WaitingRuns runs) {
    this.jobs = jobs;
    this.injector = injector;
    this.node = node;
    this.runs = runs;
    this.marks = new PoolMarks(jobs.pool().directory());
  }

  Map<String, Fault> kinds() {
    Map<String, Fault> kinds = new LinkedHashMap<>();
    kinds.put("clock jumps, JVM idle", random -> jump(random, this::idle));
    kinds.put("clock jumps, JVM leased", random -> jump(random, this::leased));
    kinds.put("clock jumps, NodeManager starts again", random -> jump(random, this::restarted));
    kinds.put("clock jumps, circuit open", random -> jump(random, this::circuitOpen));
    kinds.put("clock jumps, node drained", random -> jump(random, this::drained));
    return kinds;
  }

  /** What happens around a jump by so many seconds. */
  private interface Scene {
    void play(int seconds) throws Exception;
  }

  private Fault.Injection jump(Random random, Scene scene) throws Exception {
    int seconds = Injector.someJump(random);
    try {
      scene.play(seconds);
    } finally {
      setClock(0);
    }
    return new Fault.Injection("by %+d s".formatted(seconds), true, FaultJobs.COMPLETE);
  }

  /** Of all processes of the node that there are. */
  private void setClock(int seconds) throws Exception {
    injector.setClock(node.nodeManager().pid(), seconds);
    setClockOfPool(seconds);
  }

  private void setClockOfPool(int seconds) throws Exception {
    for (KeeperState state : jobs.states()) {
      injector.setClock(state.keeperPid(), seconds);
      if (state.jvmPid() != null) {
        injector.setClock(state.jvmPid(), seconds);
      }
      if (state.clientPid() != null) {
        injector.setClock(state.clientPid(), seconds);
      }
    }
  }

  /** Runs a job whose client sees this clock. */
  private void serve(int seconds) throws Exception {
    List<String> prefix = injector.prefix(injector.newReport(), 1, Injector.jump(seconds));
    jobs.assertComplete(jobs.start(prefix, Home.JAVA, 0));
    jobs.pool().awaitIdle();
  }

  private void idle(int seconds) throws Exception {
    long jvm = jobs.state(jobs.onlyKeeper()).jvmPid();
    for (int now : new int[] {seconds, 0}) {
      setClock(now);
      Thread.sleep(LOOKS_MS);
      serve(now);
      jobs.assertServedBy(jvm);
    }
  }

  private void leased(int seconds) throws Exception {
    WaitingRun run = runs.start(true);
    KeeperState before = jobs.leased();
    setClock(seconds);
    Thread.sleep(LOOKS_MS);
    end(run, before);
  }

  private void restarted(int seconds) throws Exception {
    WaitingRun run = runs.start(true);
    KeeperState before = jobs.leased();
    node.nodeManager().kill();
    setClockOfPool(seconds);
    Daemon nodeManager = node.launchNodeManager();
    injector.setClock(nodeManager.pid(), seconds);
    node.awaitNodeManager(nodeManager);
    Thread.sleep(LOOKS_MS);
    end(run, before);
  }

  /** Its JVM is in the pool again: idle, or the template of the next containers. */
  private void end(WaitingRun run, KeeperState before) throws Exception {
    assertEquals(before.jvmPid(), jobs.leased().jvmPid(), "the leased JVM");
    run.letGo();
    assertEquals(WaitingRuns.UNDISTURBED, run.end());
    assertEquals("7\n", Files.readString(run.status()));
    Await.until(
        "JVM " + before.jvmPid() + " is in the pool again",
        () -> Pool.isBack(jobs.states(), before.jvmPid()));
  }

  /** No clock may keep it open for longer than it would have been. */
  private void circuitOpen(int seconds) throws Exception {
    KeeperSocket keeper = jobs.onlyKeeper();
    long jvm = jobs.state(keeper).jvmPid();
    marks.closeUntil(keeper.fingerprintPrefix(), Instant.now().plusSeconds(600));
    try {
      serve(0);
      jobs.assertServedBy(NONE);
      setClock(seconds);
      serve(seconds);
      jobs.assertServedBy(jvm);
    } finally {
      Files.deleteIfExists(keeper.folder().resolve("crashing"));
    }
  }

  /** Only the operator ends that. */
  private void drained(int seconds) throws Exception {
    jobs.onlyKeeper();
    marks.drain();
    try {
      for (int now : new int[] {0, seconds}) {
        setClock(now);
        serve(now);
        jobs.assertServedBy(NONE);
      }
    } finally {
      marks.undrain();
    }
  }
}
