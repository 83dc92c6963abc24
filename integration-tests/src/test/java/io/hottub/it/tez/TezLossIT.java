// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.tez;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Await;
import io.hottub.it.harness.ContainerProcess;
import io.hottub.it.harness.HadoopJob;
import io.hottub.it.harness.Hdfs;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Run;
import io.hottub.it.harness.ServedRuns;
import io.hottub.it.harness.TezGates;
import io.hottub.it.harness.TezOnYarn;
import io.hottub.it.harness.TwoQueues;
import io.hottub.it.harness.YarnNode;
import io.hottub.protocol.JvmState;
import io.hottub.protocol.KeeperState;
import io.hottub.protocol.PoolLimits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptReport;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Jobs of Tez that lose a task, their master, or the containers that another queue wants back. They
 * end as on stock JVMs and Tez says the same about it, and then the pool serves as before.
 */
@NeedsHome
@Tag("long")
class TezLossIT extends TezOnYarn {
  private static final List<String> ISOLATIONS = List.of("reuse", "clone");

  @Override
  protected void configure(YarnNode node) throws Exception {
    super.configure(node);
    // A master that is killed has to have left there what the next one reads. Files of the local
    // file system lack what was not yet a whole block.
    Hdfs.start(node);
    node.set("tez.staging-dir", node.conf().get("fs.defaultFS") + "/staging");
    node.set("fs.defaultFS", "file:///");
    node.set("tez.dag.recovery.max.unflushed.events", "1");
    // A stock JVM on a busy machine does not end within YARN's 250 ms.
    node.set("yarn.nodemanager.sleep-delay-before-sigkill.ms", "3000");
    TwoQueues.set(node);
  }

  /** The service has written its limits by now. */
  @BeforeAll
  void makeTemplatesOfJvmsThatServedOnce() throws Exception {
    Files.writeString(
        PoolLimits.file(pool.directory()), "training_runs 1\n", StandardOpenOption.APPEND);
  }

  /** What is killed of a container. */
  private enum Victim {
    /** What YARN sees: a stock JVM, or the client of a pooled one. */
    PROCESS,
    /** The pooled JVM itself. */
    JVM
  }

  /** What happens to a job while it runs. */
  private interface Loss {
    void happens(HadoopJob job, TezGates gates, boolean pooled) throws Exception;
  }

  /**
   * @param losses what Tez says of attempts that did not succeed
   * @param attempts all that ran
   */
  private record End(String result, Set<String> losses, List<String> attempts) {}

  private End end(boolean pooled, String isolation, Loss loss) throws Exception {
    TezGates gates = gates();
    int former = ServedRuns.journalled(pool);
    Path result = folder();
    HadoopJob job =
        program(
            pooled,
            gates,
            result.toString(),
            List.of(2, 2),
            List.of("tez.hottub.isolation=" + isolation));
    loss.happens(job, gates, pooled);
    assertEquals(0, job.end(), job.log());
    pool.awaitIdle();
    if (pooled) {
      Set<String> served = ServedRuns.isolationsSince(pool, former);
      assertTrue(served.contains(task() + " " + isolation), served + pool.logs());
      assertTrue(served.contains(master() + " " + isolation), served + pool.logs());
    }
    return new End(lines(result), history(job).losses(), gates.attempts());
  }

  private static void nothing(HadoopJob job, TezGates gates, boolean pooled) throws Exception {
    gates.open("first", "second");
  }

  private void assertUndisturbedJobsAreWarm(String isolation, String result) throws Exception {
    assertWarmAgain(
        result,
        (pooled, folder) -> {
          TezGates gates = gates();
          gates.open("first", "second");
          return program(
              pooled, gates, folder, List.of(2, 2), List.of("tez.hottub.isolation=" + isolation));
        });
  }

  private void assertEndsAreEqual(End stock, Function<Victim, Loss> losses) throws Exception {
    for (String isolation : ISOLATIONS) {
      assertUndisturbedJobsAreWarm(isolation, stock.result());
      for (Victim victim : Victim.values()) {
        assertEquals(
            stock,
            end(true, isolation, losses.apply(victim)),
            () -> isolation + ", " + victim + pool.logs());
        assertUndisturbedJobsAreWarm(isolation, stock.result());
      }
    }
  }

  private KeeperState leased(ContainerId container) throws Exception {
    List<KeeperState> states =
        pool.states().stream()
            .filter(state -> Objects.equals(state.containerId(), container.toString()))
            .toList();
    assertEquals(1, states.size(), () -> container + " is served by the pool" + pool.logs());
    return states.get(0);
  }

  private void kill(ContainerId container, boolean pooled, Victim victim) throws Exception {
    long process = ContainerProcess.of(container);
    if (pooled) {
      KeeperState jvm = leased(container);
      assertEquals(jvm.clientPid(), process);
      Run.signal("KILL", victim == Victim.JVM ? jvm.jvmPid() : process);
    } else {
      Run.signal("KILL", process);
    }
  }

  private Loss task(Victim victim) {
    return (job, gates, pooled) -> {
      gates.open("first");
      ContainerId container = gates.await("second-0-0");
      gates.await("second-1-0");
      kill(container, pooled, victim);
      gates.await("second-0-1");
      gates.open("second");
    };
  }

  @Test
  void aTaskIsKilled() throws Exception {
    End stock = end(false, "reuse", task(Victim.PROCESS));
    assertEquals(
        List.of("first-0-0", "first-1-0", "second-0-0", "second-0-1", "second-1-0"),
        stock.attempts());
    assertEquals(1, stock.losses().size(), stock::toString);
    assertTrue(stock.losses().toString().contains("CONTAINER_EXITED"), stock::toString);
    assertEndsAreEqual(stock, this::task);
  }

  private List<ApplicationAttemptReport> mastersOf(HadoopJob job) throws Exception {
    return node.client().getApplicationAttempts(ApplicationId.fromString(job.id()));
  }

  private Loss master(Victim victim) {
    return (job, gates, pooled) -> {
      gates.open("first", "second-0");
      gates.await("second-1-0");
      Await.until(
          "the other tasks have succeeded",
          HadoopJob.LONGEST,
          () -> job.log().contains("Succeeded: 3 Running: 1"));
      kill(mastersOf(job).get(0).getAMContainerId(), pooled, victim);
      gates.await("second-1-1");
      gates.open("second-1");
      assertEquals(2, mastersOf(job).size());
    };
  }

  @Test
  void theMasterIsKilled() throws Exception {
    End stock = end(false, "reuse", master(Victim.PROCESS));
    assertEquals(
        List.of("first-0-0", "first-1-0", "second-0-0", "second-1-0", "second-1-1"),
        stock.attempts(),
        "what had succeeded is recovered");
    assertEndsAreEqual(stock, this::master);
  }

  /**
   * @param losses what Tez says of the attempts of the borrower that did not succeed
   */
  private record Preemption(String borrower, String owner, Set<String> losses) {}

  private HadoopJob inQueue(
      String queue, boolean pooled, String isolation, TezGates gates, Path result, int tasks)
      throws Exception {
    return program(
        pooled,
        gates,
        result.toString(),
        List.of(tasks, 1),
        List.of(
            "tez.queue.name=" + queue,
            "tez.task.resource.memory.mb=1024",
            "tez.hottub.isolation=" + isolation));
  }

  /** One job has the whole node, until another wants the half that is its queue's. */
  private Preemption preempt(boolean pooled, String isolation) throws Exception {
    TezGates gates = gates();
    Path result = folder();
    HadoopJob borrower = inQueue("default", pooled, isolation, gates, result, 5);
    for (int task = 0; task < 5; task++) {
      gates.await("first-" + task + "-0");
    }
    Set<Long> leased = jvms(JvmState.LEASED);
    TezGates gatesOfOwner = gates();
    Path resultOfOwner = folder();
    HadoopJob owner = inQueue("other", pooled, isolation, gatesOfOwner, resultOfOwner, 2);
    gatesOfOwner.await("first-0-0");
    gatesOfOwner.await("first-1-0");
    gatesOfOwner.open("first", "second");
    assertEquals(0, owner.end(), owner.log());
    gates.open("first", "second");
    assertEquals(0, borrower.end(), borrower.log());
    pool.awaitIdle();
    assertEquals(Set.of(), history(owner).losses());
    if (isolation.equals("reuse")) {
      assertTrue(jvms(JvmState.IDLE).containsAll(leased), pool::logs);
    }
    assertEquals(Set.of(), jvms(JvmState.LEASED));
    return new Preemption(lines(result), lines(resultOfOwner), history(borrower).losses());
  }

  private Set<Long> jvms(JvmState state) throws Exception {
    return pool.states().stream()
        .filter(jvm -> jvm.state() == state)
        .map(KeeperState::jvmPid)
        .collect(Collectors.toSet());
  }

  @Test
  void containersArePreempted() throws Exception {
    Preemption stock = preempt(false, "reuse");
    assertEquals(1, stock.losses().size(), stock::toString);
    assertTrue(stock.losses().toString().contains("EXTERNAL_PREEMPTION"), stock::toString);
    String result = end(false, "reuse", TezLossIT::nothing).result();
    for (String isolation : ISOLATIONS) {
      assertUndisturbedJobsAreWarm(isolation, result);
      for (int time = 0; time < 2; time++) {
        assertEquals(stock, preempt(true, isolation), () -> isolation + pool.logs());
      }
      assertUndisturbedJobsAreWarm(isolation, result);
    }
    String late = node.jmx("hottub:name=kill.leases_late,*");
    assertTrue(late.contains("\"Count\" : 0"), late);
  }
}
