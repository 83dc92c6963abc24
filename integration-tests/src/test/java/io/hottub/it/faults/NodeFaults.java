// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Await;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.Master;
import io.hottub.it.harness.StayingContainers;
import io.hottub.it.harness.StayingContainers.Stay;
import io.hottub.it.harness.WaitingRuns;
import io.hottub.it.harness.WaitingRuns.End;
import io.hottub.it.harness.WaitingRuns.WaitingRun;
import io.hottub.it.harness.YarnNode;
import io.hottub.protocol.JvmState;
import io.hottub.protocol.KeeperState;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;

/** Disturbances of a real NodeManager and of its containers. */
final class NodeFaults {
  private final FaultJobs jobs;
  private final YarnNode node;
  private final WaitingRuns runs;
  private final StayingContainers stays;

  /** Starts the NodeManager; the ResourceManager runs already. */
  NodeFaults(FaultJobs jobs, YarnNode node, WaitingRuns runs) throws Exception {
    this.jobs = jobs;
    this.node = node;
    this.runs = runs;
    this.stays = new StayingContainers(jobs.pool(), node);
    node.startNodeManager();
  }

  Map<String, Fault> kinds() {
    Map<String, Fault> kinds = new LinkedHashMap<>();
    kinds.put("SIGKILL to the NodeManager, and restart", this::nodeManagerKilled);
    kinds.put("SIGSTOP to the NodeManager", this::nodeManagerStopped);
    kinds.put("SIGKILL to a container's client", r -> processKilled("client"));
    kinds.put("SIGKILL to a container's keeper", r -> processKilled("keeper"));
    kinds.put("SIGKILL to a container's JVM", r -> processKilled("jvm"));
    kinds.put("container stopped by its master", this::containerStopped);
    kinds.put("application killed", this::applicationKilled);
    return kinds;
  }

  private Fault.Injection nodeManagerKilled(Random random) throws Exception {
    List<WaitingRun> both = List.of(runs.start(false), runs.start(true));
    boolean endBefore = random.nextBoolean();
    node.nodeManager().kill();
    if (endBefore) {
      letGo(both);
    }
    node.startNodeManager();
    if (!endBefore) {
      letGo(both);
    }
    return new Fault.Injection(
        endBefore ? "runs end while there is none" : "runs end later", true, undisturbed(both));
  }

  private Fault.Injection nodeManagerStopped(Random random) throws Exception {
    List<WaitingRun> both = List.of(runs.start(false), runs.start(true));
    int ms = 200 + random.nextInt(3_000);
    node.nodeManager().suspend();
    try {
      letGo(both);
      Thread.sleep(ms);
    } finally {
      node.nodeManager().resume();
    }
    return new Fault.Injection("for " + ms + " ms", true, undisturbed(both));
  }

  private static void letGo(List<WaitingRun> both) throws Exception {
    for (WaitingRun run : both) {
      run.letGo();
    }
  }

  private static String undisturbed(List<WaitingRun> both) throws Exception {
    for (WaitingRun run : both) {
      assertEquals(WaitingRuns.UNDISTURBED, run.end());
      assertEquals("7\n", Files.readString(run.status()));
    }
    return FaultJobs.COMPLETE;
  }

  private Fault.Injection processKilled(String victim) throws Exception {
    WaitingRun run = runs.start(true);
    KeeperState state = jobs.leased();
    long pid =
        switch (victim) {
          case "client" -> state.clientPid();
          case "keeper" -> state.keeperPid();
          default -> state.jvmPid();
        };
    ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    // As a shell sees the death of a stock JVM by SIGKILL.
    assertEquals(new End(YarnApplicationState.FAILED, 137), run.end());
    return new Fault.Injection("", true, "signal 9");
  }

  /** At any moment between its launch and the run's own end. */
  private Fault.Injection containerStopped(Random random) throws Exception {
    int delay = random.nextInt(1_000);
    try (Master master = new Master(node, "default")) {
      ContainerId container =
          master.start(
              256,
              Map.of(
                  "JAVA_HOME", Home.path().toString(),
                  "HOTTUB_TRACE", jobs.pool().trace().toString()),
              Map.of(),
              "$JAVA_HOME/bin/java " + String.join(" ", jobs.arguments(jobs.nextName(), 30_000)));
      Thread.sleep(delay);
      master.stop(container);
      int status = master.awaitEnd(container).getExitStatus();
      assertEquals(ContainerExitStatus.KILLED_BY_APPMASTER, status);
    }
    awaitNoLease();
    return new Fault.Injection("after " + delay + " ms", true, "stopped");
  }

  private Fault.Injection applicationKilled(Random random) throws Exception {
    String mode = random.nextBoolean() ? "quiet" : "stubborn";
    try (Master master = new Master(node, "default")) {
      Stay stay = stays.start(master, true, mode);
      Thread.sleep(random.nextInt(100));
      master.kill();
      int code = stays.awaitExitCode(stay);
      // A hook that is late on a busy machine is killed as a stock JVM's is.
      assertTrue(code == 137 || (code == 143 && mode.equals("quiet")), "exit code " + code);
      awaitNoLease();
      return new Fault.Injection(mode, true, "signal " + (code - 128));
    }
  }

  private void awaitNoLease() throws Exception {
    Await.until(
        "no JVM is leased",
        () -> jobs.states().stream().noneMatch(state -> state.state() == JvmState.LEASED));
  }
}
