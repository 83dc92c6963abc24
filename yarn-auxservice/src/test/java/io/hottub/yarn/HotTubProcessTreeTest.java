// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.protocol.JvmState;
import io.hottub.protocol.MockKeeper;
import io.hottub.yarn.config.HotTubConfig;
import io.hottub.yarn.containers.LeasedJvms;
import io.hottub.yarn.pool.MockPool;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.util.ProcfsBasedProcessTree;
import org.apache.hadoop.yarn.util.ResourceCalculatorProcessTree;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A waiting process stands for a container and its client, the test's own JVM for a pooled one. */
class HotTubProcessTreeTest {
  private static final long OWN_PID = ProcessHandle.current().pid();
  private static final long MEGABYTE = 1 << 20;

  private final AtomicReference<String> state = new AtomicReference<>();
  private MockPool jvms;
  private Process container;

  @BeforeEach
  void start() throws IOException {
    jvms = new MockPool();
    container = new ProcessBuilder("cat").start();
    // Once it has answered, nothing is loaded into it any more: its size stays.
    container.getOutputStream().write('\n');
    container.getOutputStream().flush();
    assertEquals('\n', container.getInputStream().read());
  }

  @AfterEach
  void stop() throws Exception {
    container.destroyForcibly().waitFor();
    jvms.close();
  }

  private void keeperSays(JvmState jvmState, long clientPid, long run, long cpuUs) {
    state.set(
        MockKeeper.stateJson(
            1,
            jvmState,
            "jvm_pid",
            OWN_PID,
            "client_pid",
            clientPid,
            "run",
            run,
            "lease_cpu_us",
            cpuUs,
            "main_class",
            "Main"));
  }

  private HotTubProcessTree tree() throws Exception {
    jvms.addBusy(1, "a", state);
    HotTubProcessTree tree =
        new HotTubProcessTree(Long.toString(container.pid()), new LeasedJvms(jvms.temp.pool()));
    tree.setConf(new Configuration(false));
    tree.initialize();
    return tree;
  }

  private static void update(HotTubProcessTree tree) throws InterruptedException {
    Thread.sleep(350); // longer than one look at the pool serves
    tree.updateProcessTree();
  }

  /** With the little that the container itself has used. */
  private static void assertCpuMs(long expected, HotTubProcessTree tree) {
    long used = tree.getCumulativeCpuTime();
    assertTrue(used >= expected && used < expected + 100, expected + " expected, but " + used);
  }

  @Test
  void aLeasedJvmCountsWhileTheLeaseLasts() throws Exception {
    keeperSays(JvmState.LEASED, container.pid(), 3, 2_000_000);
    HotTubProcessTree tree = tree();
    update(tree);
    assertTrue(tree.getRssMemorySize() > 30 * MEGABYTE, "resident: " + tree.getRssMemorySize());
    assertTrue(tree.getVirtualMemorySize() > 500 * MEGABYTE);
    assertTrue(tree.getRssMemorySize(1) < 30 * MEGABYTE, "a new lease has no age yet");
    assertCpuMs(2_000, tree);
    assertEquals(ResourceCalculatorProcessTree.UNAVAILABLE, tree.getCpuUsagePercent());
    assertTrue(tree.getProcessTreeDump().contains("|- " + OWN_PID + " (pooled JVM of HotTub"));

    keeperSays(JvmState.LEASED, container.pid(), 3, 2_500_000);
    update(tree);
    assertTrue(tree.getRssMemorySize(1) > 30 * MEGABYTE, "it has lived through one update");
    assertCpuMs(2_500, tree);
    assertTrue(tree.getCpuUsagePercent() > 50, "500 ms in some 350: " + tree.getCpuUsagePercent());

    keeperSays(JvmState.IDLE, 0, 3, 0);
    update(tree);
    assertTrue(tree.getRssMemorySize() < 30 * MEGABYTE);
    assertCpuMs(2_500, tree);

    keeperSays(JvmState.LEASED, container.pid(), 4, 1_000_000);
    update(tree);
    assertCpuMs(3_500, tree);
  }

  @Test
  void theLeaseOfAnotherContainerDoesNot() throws Exception {
    keeperSays(JvmState.LEASED, 1, 3, 2_000_000);
    HotTubProcessTree tree = tree();
    update(tree);
    assertTrue(tree.getRssMemorySize() < 30 * MEGABYTE);
    assertFalse(tree.getProcessTreeDump().contains("HotTub"));
  }

  @Test
  void withoutAPoolItIsTheTreeOfYarn() {
    Configuration conf = new Configuration(false);
    conf.set(HotTubConfig.DIR.name(), "/" + "x".repeat(80));
    String pid = Long.toString(container.pid());
    ResourceCalculatorProcessTree tree =
        ResourceCalculatorProcessTree.getResourceCalculatorProcessTree(
            pid, HotTubProcessTree.class, conf);
    tree.updateProcessTree();
    ProcfsBasedProcessTree yarns = new ProcfsBasedProcessTree(pid);
    yarns.setConf(conf);
    yarns.updateProcessTree();
    assertEquals(yarns.getVirtualMemorySize(), tree.getVirtualMemorySize());
  }
}
