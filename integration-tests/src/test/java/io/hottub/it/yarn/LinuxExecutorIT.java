// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.WaitingRuns;
import io.hottub.it.harness.YarnNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Containers under the Linux container executor of a real NodeManager. */
@NeedsHome
class LinuxExecutorIT {
  private Pool pool;
  private YarnNode node;
  private WaitingRuns runs;

  @BeforeEach
  void startYarn() throws Exception {
    pool = new Pool();
    node = new YarnNode(pool.root(), Home.path());
    node.useLinuxContainerExecutor();
    node.startResourceManager();
    node.startNodeManager();
    runs = new WaitingRuns(pool, node.client());
  }

  @AfterEach
  void stopYarn() throws Exception {
    pool.retireAll();
    node.close();
    pool.close();
  }

  @Test
  void endsAndKillsAreAsOnAStockJvmAndLeaveThePooledOne() throws Exception {
    assertEquals(WaitingRuns.UNDISTURBED, runs.undisturbed(false));
    assertEquals(WaitingRuns.UNDISTURBED, runs.undisturbed(true));
    pool.awaitIdle();
    long jvm = pool.trainedJvm();
    assertEquals(runs.killed(false), runs.killed(true));
    pool.awaitIdle();
    assertEquals(WaitingRuns.UNDISTURBED, runs.undisturbed(true));
    pool.awaitIdle();
    assertEquals(jvm, pool.trainedJvm(), pool.logs());
  }
}
