// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.Master;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.StayingContainers;
import io.hottub.it.harness.StayingContainers.Stay;
import io.hottub.it.harness.TwoQueues;
import io.hottub.it.harness.YarnNode;
import io.hottub.protocol.JvmState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.LocalResourceType;
import org.apache.hadoop.yarn.api.records.LocalResourceVisibility;
import org.apache.hadoop.yarn.api.records.URL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Every way in which a working node ends a container: YARN says the same of a pooled JVM as of a
 * stock one, in the same time, and the pooled JVM serves the next run.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ContainerKills {
  private static final int TERMINATED = 143;
  private static final int KILLED = 137;

  private Pool pool;
  private YarnNode node;
  private StayingContainers stays;
  private long jvm;

  /** Chooses the container executor. */
  abstract void configure(YarnNode node);

  @BeforeAll
  void startYarn() throws Exception {
    pool = new Pool();
    node = new YarnNode(pool.root(), Home.path());
    configure(node);
    node.set("yarn.nodemanager.pmem-check-enabled", "true");
    node.set("yarn.nodemanager.resource.memory.enforced", "false");
    node.set("yarn.nodemanager.container-monitor.interval-ms", "500");
    node.set(
        "yarn.nodemanager.container-monitor.process-tree.class",
        "io.hottub.yarn.HotTubProcessTree");
    // A stock JVM whose heap fills a busy machine does not end within YARN's 250 ms.
    node.set("yarn.nodemanager.sleep-delay-before-sigkill.ms", "3000");
    TwoQueues.set(node);
    node.startResourceManager();
    node.startNodeManager();
    stays = new StayingContainers(pool, node);
  }

  @AfterAll
  void stopYarn() throws Exception {
    pool.retireAll();
    node.close();
    pool.close();
  }

  private Master master(String queue) throws Exception {
    return new Master(node, queue);
  }

  @BeforeEach
  void warmUp() throws Exception {
    try (Master master = master("default")) {
      Stay stay = stays.start(master, true, "quiet");
      jvm = pool.trainedJvm();
      master.stop(stay.container());
      stays.awaitExitCode(stay);
    }
    pool.awaitIdle();
  }

  @AfterEach
  void theJvmServesTheNextRun() throws Exception {
    pool.awaitIdle();
    assertEquals(jvm, pool.trainedJvm(), pool.logs());
    warmUp();
    assertEquals(jvm, pool.trainedJvm(), pool.logs());
    String late = node.jmx("hottub:name=kill.leases_late,*");
    assertTrue(late.contains("\"Count\" : 0"), late);
  }

  /** How a container ended, for YARN and for the program. */
  private record End(int exitCode, boolean hookHasRun, int status, String diagnostics) {}

  private End awaitEnd(Master master, Stay stay) throws Exception {
    int exitCode = stays.awaitExitCode(stay);
    ContainerStatus status = master.awaitEnd(stay.container());
    String diagnostics =
        status
            .getDiagnostics()
            .replace(stay.container().toString(), "CONTAINER")
            .replaceAll("(?m)^\\[[^\\]]*\\]", "");
    return new End(exitCode, stay.hookHasRun(), status.getExitStatus(), diagnostics);
  }

  private interface Way {
    void end(Master master, ContainerId container) throws Exception;
  }

  private End endsAsAStockJvm(String mode, Way way) throws Exception {
    List<End> ends = new ArrayList<>();
    for (boolean pooled : new boolean[] {false, true}) {
      try (Master master = master("default")) {
        Stay stay = stays.start(master, pooled, mode);
        way.end(master, stay.container());
        ends.add(awaitEnd(master, stay));
      }
    }
    // The client ends only after its lease.
    assertNotEquals(JvmState.LEASED, pool.state().state());
    assertEquals(ends.get(0), ends.get(1), pool.logs());
    return ends.get(1);
  }

  @Test
  void stoppedByItsMaster() throws Exception {
    End end = endsAsAStockJvm("quiet", Master::stop);
    assertEquals(TERMINATED, end.exitCode());
    assertEquals(ContainerExitStatus.KILLED_BY_APPMASTER, end.status());
    assertTrue(end.hookHasRun());
    assertTrue(end.diagnostics().contains("Exit code is 143"), end.diagnostics());
  }

  @Test
  void deafToSigterm() throws Exception {
    String before = node.jmx("hottub:name=kill.leases_revoked,*");
    End end = endsAsAStockJvm("stubborn", Master::stop);
    assertEquals(KILLED, end.exitCode());
    assertEquals(ContainerExitStatus.KILLED_BY_APPMASTER, end.status());
    assertTrue(end.diagnostics().contains("Exit code is 137"), end.diagnostics());
    assertNotEquals(before, node.jmx("hottub:name=kill.leases_revoked,*"));
  }

  @Test
  void releasedByItsMaster() throws Exception {
    End end = endsAsAStockJvm("quiet", Master::release);
    assertEquals(TERMINATED, end.exitCode());
    assertEquals(ContainerExitStatus.ABORTED, end.status());
    assertTrue(end.hookHasRun());
  }

  @Test
  void killedWithItsApplication() throws Exception {
    for (boolean pooled : new boolean[] {false, true}) {
      try (Master master = master("default")) {
        Stay stay = stays.start(master, pooled, "quiet");
        master.kill();
        assertEquals(TERMINATED, stays.awaitExitCode(stay), "pooled: " + pooled);
        assertTrue(stay.hookHasRun(), "pooled: " + pooled);
      }
    }
    assertNotEquals(JvmState.LEASED, pool.state().state());
  }

  @Test
  void preempted() throws Exception {
    try (Master borrower = master("default");
        Master owner = master("other")) {
      // The first two fill its own half.
      for (int i = 0; i < 2; i++) {
        borrower.start(256, Map.of(), Map.of(), "sleep 300");
      }
      List<Stay> both =
          List.of(stays.start(borrower, false, "quiet"), stays.start(borrower, true, "quiet"));
      owner.ask(256);
      owner.ask(256);
      List<End> ends = new ArrayList<>();
      for (Stay stay : both) {
        ends.add(awaitEnd(borrower, stay));
      }
      assertEquals(ends.get(0), ends.get(1), pool.logs());
      assertEquals(TERMINATED, ends.get(1).exitCode());
      assertEquals(ContainerExitStatus.PREEMPTED, ends.get(1).status());
      assertTrue(ends.get(1).hookHasRun());
    }
  }

  @Test
  void overItsMemory() throws Exception {
    for (boolean pooled : new boolean[] {false, true}) {
      try (Master master = master("default")) {
        Stay greedy = stays.start(master, pooled, "greedy");
        End end = awaitEnd(master, greedy);
        assertEquals(TERMINATED, end.exitCode(), "pooled: " + pooled);
        assertEquals(ContainerExitStatus.KILLED_EXCEEDED_PMEM, end.status(), "pooled: " + pooled);
        assertTrue(end.hookHasRun(), "pooled: " + pooled);
        assertTrue(end.diagnostics().contains("'PHYSICAL' memory limit"), end.diagnostics());
      }
    }
  }

  @Test
  void notLocalised() throws Exception {
    LocalResource changed =
        LocalResource.newInstance(
            URL.fromPath(new org.apache.hadoop.fs.Path(pool.trace().toUri())),
            LocalResourceType.FILE,
            LocalResourceVisibility.APPLICATION,
            1,
            1);
    List<Integer> ends = new ArrayList<>();
    try (Master master = master("default")) {
      Stay neighbour = stays.start(master, true, "quiet");
      for (String pooled : List.of("off", "on")) {
        ContainerId container =
            master.start(
                256,
                Map.of("JAVA_HOME", Home.path().toString(), "HOTTUB", pooled),
                Map.of("file", changed),
                "$JAVA_HOME/bin/java -version");
        ends.add(master.awaitEnd(container).getExitStatus());
      }
      assertEquals(List.of(ContainerExitStatus.INVALID, ContainerExitStatus.INVALID), ends);
      assertEquals(JvmState.LEASED, pool.state().state(), "the neighbour runs on");
      master.stop(neighbour.container());
      assertEquals(TERMINATED, stays.awaitExitCode(neighbour));
    }
  }
}
