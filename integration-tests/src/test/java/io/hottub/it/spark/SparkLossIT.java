// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Application;
import io.hottub.it.harness.Await;
import io.hottub.it.harness.Daemon;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.ServedRuns;
import io.hottub.it.harness.SparkOnYarn;
import io.hottub.it.harness.SparkRun;
import io.hottub.it.harness.YarnNode;
import io.hottub.protocol.Journal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What YARN itself takes from a Spark application: containers for another queue, and nodes. */
@NeedsHome
@Tag("long")
class SparkLossIT extends SparkOnYarn {
  private static final String MEMORY = "yarn.nodemanager.resource.memory-mb";

  /** More than a node has that can hold just a master. */
  private static final List<String> LARGE = List.of("spark.executor.memory=896m");

  @Override
  protected String version() {
    return "3";
  }

  @Override
  protected void configure(YarnNode node) {
    String queues = "yarn.scheduler.capacity.root.";
    node.set(queues + "queues", "default,urgent");
    node.set(queues + "default.capacity", "30");
    node.set(queues + "default.user-limit-factor", "10");
    node.set(queues + "urgent.capacity", "70");
    node.set("yarn.resourcemanager.scheduler.monitor.enable", "true");
    String preemption = "yarn.resourcemanager.monitor.capacity.preemption.";
    node.set(preemption + "monitoring_interval", "500");
    node.set(preemption + "max_wait_before_kill", "500");
    node.set(preemption + "total_preemption_per_round", "1");
    node.set(preemption + "natural_termination_factor", "1");
    // A node is lost after that.
    node.set("yarn.nm.liveness-monitor.expiry-interval-ms", "10000");
    // So long containers may be asked for that no node of now has room for.
    node.set("yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms", "3600000");
  }

  private List<String> executorIsPreempted(boolean pooled) throws Exception {
    Path folder = folder();
    SparkRun run = waiting(pooled, "client", folder);
    Path started = folder.resolve("started");
    Path go = folder.resolve("go");
    Application urgent =
        new Application(node.client())
            .queue("urgent")
            .memoryMb(2560)
            .submit("touch " + started + "; until [ -e " + go + " ]; do sleep 0.2; done");
    Await.until("the urgent one has its container", () -> Files.exists(started));
    Files.createFile(go);
    assertEquals(0, run.end(), run.log());
    assertEquals("[10, 20]", Files.readString(folder.resolve("result")));
    urgent.awaitEnd();
    return run.losses();
  }

  @Test
  void aPreemptedExecutorsTasksRunAgain() throws Exception {
    List<String> stock = executorIsPreempted(false);
    assertTrue(stock.toString().contains("was preempted"), stock.toString());
    assertEquals(stock, executorIsPreempted(true));
    assertPoolServesOn();
  }

  /** An application whose executors have to wait for another node, and so are on none but it. */
  private SparkRun submittedLarge(boolean pooled, String... arguments) throws Exception {
    SparkRun run = spark.submit(pooled, "client", LARGE, arguments);
    Await.until(
        "the master runs",
        () -> !SparkRun.applications(run.log()).isEmpty() && isRunning(run.id()));
    return run;
  }

  private List<String> nodeIsLost(boolean pooled, YarnNode other) throws Exception {
    Path folder = folder();
    SparkRun run = submittedLarge(pooled, "wait", folder.toString());
    Daemon lost = other.startNodeManager();
    awaitExecutors(folder);
    lost.kill();
    Await.until("the node is lost", () -> !node.client().getNodeReports(NodeState.LOST).isEmpty());
    Daemon back = other.startNodeManager();
    assertEquals(0, run.end(), run.log());
    assertEquals("[10, 20]", Files.readString(folder.resolve("result")));
    back.kill();
    return run.losses();
  }

  private boolean isRunning(String id) throws Exception {
    return node.client()
            .getApplicationReport(ApplicationId.fromString(id))
            .getYarnApplicationState()
        == YarnApplicationState.RUNNING;
  }

  private void restartWithMemory(String mb) throws Exception {
    node.nodeManager().kill();
    node.set(MEMORY, mb);
    node.startNodeManager();
  }

  @Test
  void tasksOfALostNodeRunAgain() throws Exception {
    restartWithMemory("896");
    Pool itsPool = new Pool();
    YarnNode other = new YarnNode(itsPool.root(), Home.path(), node);
    try {
      other.set(MEMORY, "2048");
      List<String> stock = nodeIsLost(false, other);
      assertTrue(stock.toString().contains("Container released on a *lost* node"), "" + stock);
      assertEquals(stock, nodeIsLost(true, other));
      itsPool.awaitIdle();
      int former = Journal.history(itsPool.directory()).size();
      Path result = folder().resolve("result");
      SparkRun run = submittedLarge(true, "sums", result.toString());
      Daemon manager = other.startNodeManager();
      assertEquals(0, run.end(), run.log());
      assertEquals(SUMS, Files.readString(result));
      itsPool.awaitIdle();
      List<String> journal = Journal.history(itsPool.directory());
      List<String> warm = List.of(EXECUTOR + " warm", EXECUTOR + " warm");
      assertEquals(warm, ServedRuns.of(journal.subList(former, journal.size())), itsPool.logs());
      manager.kill();
    } finally {
      itsPool.retireAll();
      other.close();
      itsPool.close();
      restartWithMemory("4096");
    }
    assertPoolServesOn();
  }
}
