// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.it.WaitingRuns.End;
import io.hottub.it.WaitingRuns.WaitingRun;
import io.hottub.it.jvm.Home;
import io.hottub.it.jvm.NeedsHome;
import io.hottub.it.jvm.Pool;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Containers under the Linux container executor of a real NodeManager. */
@NeedsHome
class LinuxExecutorIT {
  private Pool pool;
  private YarnNode node;
  private YarnClient client;
  private WaitingRuns runs;

  @BeforeEach
  void startYarn() throws Exception {
    pool = new Pool();
    node = new YarnNode(pool.root(), Home.path());
    node.useLinuxContainerExecutor();
    node.startResourceManager();
    node.startNodeManager();
    client = YarnClient.createYarnClient();
    client.init(node.conf());
    client.start();
    runs = new WaitingRuns(pool, client);
    Await.until(
        "the node is registered", () -> client.getYarnClusterMetrics().getNumNodeManagers() == 1);
  }

  @AfterEach
  void stopYarn() throws Exception {
    client.stop();
    pool.retireAll();
    node.close();
    pool.close();
  }

  @Test
  void endsAndKillsAreAsOnAStockJvmAndLeaveThePooledOne() throws Exception {
    assertEquals(WaitingRuns.UNDISTURBED, runs.undisturbed(false));
    assertEquals(WaitingRuns.UNDISTURBED, runs.undisturbed(true));
    pool.awaitIdle();
    long jvm = pool.state().jvmPid();
    End[] ends = new End[2];
    for (boolean pooled : new boolean[] {false, true}) {
      WaitingRun run = runs.start(pooled);
      run.application().kill();
      ends[pooled ? 1 : 0] = run.end();
    }
    assertEquals(ends[0], ends[1]);
    pool.awaitIdle();
    assertEquals(WaitingRuns.UNDISTURBED, runs.undisturbed(true));
    pool.awaitIdle();
    assertEquals(jvm, pool.state().jvmPid(), pool.logs());
  }
}
