// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Await;
import io.hottub.it.harness.Daemon;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Run;
import io.hottub.it.harness.WaitingRuns;
import io.hottub.it.harness.WaitingRuns.End;
import io.hottub.it.harness.WaitingRuns.WaitingRun;
import io.hottub.it.harness.YarnNode;
import io.hottub.protocol.KeeperState;
import java.nio.file.Files;
import java.util.List;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Containers of a real NodeManager that are served by real pooled JVMs, and what kills them. */
@NeedsHome
class PooledContainersIT {
  private Pool pool;
  private YarnNode node;
  private WaitingRuns runs;

  @BeforeEach
  void startYarn() throws Exception {
    pool = new Pool();
    node = new YarnNode(pool.root(), Home.path());
    node.set("yarn.nodemanager.recovery.enabled", "true");
    node.set("yarn.nodemanager.recovery.supervised", "true");
    node.startResourceManager();
    runs = new WaitingRuns(pool, node.client());
  }

  @AfterEach
  void stopYarn() throws Exception {
    // JVMs first: a supervised NodeManager leaves its containers running.
    pool.retireAll();
    node.close();
    pool.close();
  }

  @Test
  void inReuseOneJvmServesContainersOneAfterTheOther() throws Exception {
    node.set("yarn.nodemanager.aux-services.hottub.isolation", "reuse");
    node.startNodeManager();
    End stock = runs.undisturbed(false);
    assertEquals(WaitingRuns.UNDISTURBED, stock);
    for (int i = 0; i < 3; i++) {
      assertEquals(stock, runs.undisturbed(true), "run " + i + pool.logs());
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(3);
    node.awaitMetric("pool.jvms.idle", "\"Value\" : 1");
    node.awaitMetric("runs.first", "\"Count\" : 1");
    node.awaitMetric("runs.warm", "\"Count\" : 2");
    node.awaitMetric("runs.reset_us", "\"Count\" : 3");
    node.awaitMetric("runs.reset_phase.collect_us", "\"Count\" : 3");
  }

  @Test
  void afterTheFirstEachContainerHasAClone() throws Exception {
    node.startNodeManager();
    int training = 0;
    do {
      assertEquals(WaitingRuns.UNDISTURBED, runs.undisturbed(true), pool.logs());
      pool.awaitIdle();
      training++;
    } while (!pool.cloneServedLast() && training < 10);
    assertEquals(WaitingRuns.UNDISTURBED, runs.undisturbed(true), pool.logs());
    List<Long> servedBy = pool.servedBy();
    List<Long> clones = servedBy.subList(training - 1, training + 1);
    assertTrue(pool.cloneServedLast(), pool.logs());
    assertNotEquals(clones.get(0), clones.get(1));
    assertEquals(
        List.of(pool.trainedJvm()),
        servedBy.subList(0, training - 1).stream().distinct().toList(),
        pool.logs());
    for (long clone : clones) {
      Await.until("a clone ends with its run", () -> Run.hasEnded(clone));
    }
    node.awaitMetric("pool.jvms.template", "\"Value\" : 1");
    node.awaitMetric("pool.clones.ready", "\"Value\" : 1");
    node.awaitMetric("runs.first", "\"Count\" : 1");
    node.awaitMetric("runs.warm", "\"Count\" : " + training);
    node.awaitMetric("pool.retired.served", "\"Count\" : 2");
  }

  @Tag("long")
  @Test
  void aProgramWhoseJvmsCrashRunsCold() throws Exception {
    node.set("yarn.nodemanager.aux-services.hottub.crashes", "2");
    node.startNodeManager();
    for (int i = 1; i <= 2; i++) {
      WaitingRun run = runs.start(true);
      ProcessHandle.of(pool.state().jvmPid()).orElseThrow().destroyForcibly();
      run.end();
      node.awaitMetric("pool.crashes", "\"Count\" : " + i);
    }
    node.awaitMetric("pool.circuits_opened", "\"Count\" : 1");
    assertEquals(WaitingRuns.UNDISTURBED, runs.undisturbed(true));
    node.awaitMetric("runs.miss.circuit-open", "\"Count\" : 1");
  }

  @Test
  void killingTheApplicationLeavesTheJvm() throws Exception {
    node.startNodeManager();
    runs.undisturbed(true);
    pool.awaitIdle();
    long jvm = pool.trainedJvm();
    assertEquals(runs.killed(false), runs.killed(true));
    pool.awaitIdle();
    assertEquals(WaitingRuns.UNDISTURBED, runs.undisturbed(true));
    pool.awaitIdle();
    assertEquals(jvm, pool.trainedJvm(), pool.logs());
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {"client", "jvm"})
  void killingAProcessOfTheRunKillsTheRunOnly(String victim) throws Exception {
    node.startNodeManager();
    WaitingRun run = runs.start(true);
    KeeperState state = pool.state();
    long pid = victim.equals("client") ? state.clientPid() : state.jvmPid();
    ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    // As a shell sees the death of a stock JVM by SIGKILL.
    assertEquals(new End(YarnApplicationState.FAILED, 137), run.end(), pool.logs());
    pool.awaitIdle();
    assertEquals(WaitingRuns.UNDISTURBED, runs.undisturbed(true));
    pool.awaitIdle();
    pool.assertOneJvmServedLast(1);
  }

  @Test
  void aRunOutlivesItsNodeManager() throws Exception {
    Daemon first = node.startNodeManager();
    List<WaitingRun> both = List.of(runs.start(false), runs.start(true));
    long jvm = pool.trainedJvm();
    first.kill();
    node.startNodeManager();
    for (WaitingRun run : both) {
      run.letGo();
    }
    for (WaitingRun run : both) {
      assertEquals(WaitingRuns.UNDISTURBED, run.end());
      assertEquals("7\n", Files.readString(run.status()));
    }
    pool.awaitIdle();
    assertEquals(WaitingRuns.UNDISTURBED, runs.undisturbed(true));
    pool.awaitIdle();
    assertEquals(jvm, pool.trainedJvm(), pool.logs());
  }

  @Tag("long")
  @Test
  void aRunThatEndsWhileThereIsNoNodeManagerKeepsItsStatus() throws Exception {
    Daemon first = node.startNodeManager();
    List<WaitingRun> both = List.of(runs.start(false), runs.start(true));
    first.kill();
    for (WaitingRun run : both) {
      run.letGo();
      Await.until("the run has ended", () -> Files.exists(run.status()));
      assertEquals("7\n", Files.readString(run.status()));
    }
    pool.awaitIdle();
    node.startNodeManager();
    for (WaitingRun run : both) {
      assertEquals(WaitingRuns.UNDISTURBED, run.end());
    }
    assertEquals(WaitingRuns.UNDISTURBED, runs.undisturbed(true));
    pool.awaitIdle();
    pool.assertOneJvmServedLast(2);
  }
}
