// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Await;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.Master;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.SparkHome;
import io.hottub.it.harness.SparkOnYarn;
import io.hottub.it.harness.YarnNode;
import io.hottub.it.harness.ZooKeeperServer;
import io.hottub.protocol.Journal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.yarn.api.records.Container;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two nodes, of which one has had the executor of an application: where the next ones go. Without a
 * preference it is a matter of which node has its turn first.
 */
@NeedsHome
@Tag("long")
class LocalityIT extends SparkOnYarn {
  private static final String SETTING = "yarn.nodemanager.aux-services.hottub.";
  private static final String MEMORY = "yarn.nodemanager.resource.memory-mb";
  private static final Pattern NUMBER = Pattern.compile("\"(?:Count|Value)\" : (\\d+)");
  private static final int NODE_MB = 4096;

  /** Of an executor's container, and of one that no JVM has served. */
  private static final int TASK_MB = 640;

  private static final int OTHER_MB = 768;

  /** Of each node; the two are not at the same time. */
  private static final Duration HEARTBEAT = Duration.ofSeconds(3);

  /** So long a node is waited for at most. */
  private static final Duration LONGEST = HEARTBEAT.multipliedBy(3).dividedBy(2);

  private ZooKeeperServer zookeeper;
  private YarnNode other;
  private Pool itsPool;

  @Override
  protected String version() {
    return "3";
  }

  @Override
  protected void configure(YarnNode node) throws Exception {
    zookeeper = new ZooKeeperServer(node.dir().resolve("zookeeper"));
    zookeeper.start();
    join(node);
    node.set("yarn.scheduler.app-placement-allocator.class", "io.hottub.yarn.WarmNodePlacement");
    node.set(
        "yarn.resourcemanager.nodemanagers.heartbeat-interval-ms",
        Long.toString(HEARTBEAT.toMillis()));
  }

  private void join(YarnNode node) throws Exception {
    zookeeper.invite(node);
    node.set(SETTING + "cluster-publish-interval-ms", "100");
    node.set(MEMORY, Integer.toString(NODE_MB));
  }

  @Override
  protected void configure(SparkHome spark) throws Exception {
    spark.set("spark.executor.instances", "1");
    // Not one of an executor's fingerprint.
    spark.set("spark.yarn.am.memory", "600m");
  }

  @BeforeAll
  void startTheOtherNode() throws Exception {
    itsPool = new Pool();
    other = new YarnNode(itsPool.root(), Home.path(), node);
    join(other);
    other.startNodeManager();
  }

  @AfterAll
  void stopTheOtherNode() throws Exception {
    itsPool.retireAll();
    other.close();
    itsPool.close();
    zookeeper.close();
  }

  @BeforeEach
  void onlyOneNodeIsWarm() throws Exception {
    itsPool.retireAll();
    pool.awaitIdle();
    Await.until("one node is warm", () -> metric("nodes") == 1);
  }

  /** Of the ResourceManager. */
  private long metric(String name) throws Exception {
    String address = node.conf().get("yarn.resourcemanager.webapp.address");
    int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
    Matcher value = NUMBER.matcher(YarnNode.jmx(port, "hottub:name=locality." + name + ",*"));
    return value.find() ? Long.parseLong(value.group(1)) : 0;
  }

  private boolean isWarm(Container container) {
    String port = ":" + container.getNodeId().getPort();
    return node.conf().get("yarn.nodemanager.address").endsWith(port);
  }

  /** A place of a container that is given back at once. */
  private record Place(boolean warm, Duration after) {}

  private Place place(int memoryMb) throws Exception {
    return place(new Master(node, "default"), memoryMb);
  }

  private Place place(Master newMaster, int memoryMb) throws Exception {
    try (Master master = newMaster) {
      long begun = System.nanoTime();
      Container container = master.place(memoryMb);
      return new Place(isWarm(container), Duration.ofNanos(System.nanoTime() - begun));
    }
  }

  private long executorsOfTheOtherNode() throws Exception {
    return Journal.history(itsPool.directory()).stream()
        .filter(line -> line.contains("\"event\":\"run\"") && line.contains(EXECUTOR))
        .count();
  }

  @Test
  void executorsAreWarm() throws Exception {
    long others = executorsOfTheOtherNode();
    for (int i = 0; i < 3; i++) {
      int former = journalled();
      assertEquals(SUMS, sums(true, "client"));
      List<String> served = served(former);
      assertTrue(served.contains(EXECUTOR + " warm"), served + pool.logs());
    }
    assertEquals(others, executorsOfTheOtherNode());
  }

  /**
   * The other node has its turn before the warm one, which hangs until then. Returns where a
   * container went.
   */
  private Place placeWhileTheOtherNodeIsFirst(int memoryMb) throws Exception {
    assertTrue(place(TASK_MB).warm());
    // It has just had its turn, so that it is not missed yet.
    node.nodeManager().suspend();
    ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
    try {
      Master master = new Master(node, "default");
      var unused =
          later.schedule(
              () -> {
                node.nodeManager().resume();
                return null;
              },
              HEARTBEAT.plusMillis(100).toMillis(),
              TimeUnit.MILLISECONDS);
      return place(master, memoryMb);
    } finally {
      later.shutdown();
      later.awaitTermination(HEARTBEAT.toMillis() * 2, TimeUnit.MILLISECONDS);
    }
  }

  @Test
  void aContainerGoesWhereItsJvmIs() throws Exception {
    Place indifferent = placeWhileTheOtherNodeIsFirst(OTHER_MB);
    assertFalse(indifferent.warm(), indifferent.toString());
    long before = metric("warm");
    Place preferring = placeWhileTheOtherNodeIsFirst(TASK_MB);
    assertTrue(preferring.warm(), preferring.toString());
    assertEquals(before + 2, metric("warm"));
  }

  @Test
  void aFullNodeIsNotWaitedFor() throws Exception {
    try (Master tenant = new Master(node, "default")) {
      other.nodeManager().suspend();
      assertTrue(isWarm(tenant.place(NODE_MB - TASK_MB + 128)));
      other.nodeManager().resume();
      long waits = metric("waits");
      assertFalse(place(TASK_MB).warm());
      long others = executorsOfTheOtherNode();
      assertEquals(SUMS, sums(true, "client"));
      itsPool.awaitIdle();
      assertEquals(others + 1, executorsOfTheOtherNode());
      assertEquals(waits, metric("waits"));
    }
  }

  @Test
  void aNodeThatHangsIsNotWaitedForForLong() throws Exception {
    assertTrue(place(TASK_MB).warm());
    long waits = metric("waits");
    node.nodeManager().suspend();
    try {
      Place first = place(TASK_MB);
      assertFalse(first.warm());
      Duration worst = LONGEST.plus(HEARTBEAT).plusSeconds(1);
      assertTrue(first.after().compareTo(worst) < 0, first.toString());
      assertFalse(place(TASK_MB).warm());
      assertFalse(place(TASK_MB).warm());
      assertEquals(waits + 1, metric("waits"), "later ones know");
    } finally {
      node.nodeManager().resume();
    }
  }

  @Test
  void nothingIsPreferredWithoutZooKeeper() throws Exception {
    zookeeper.kill();
    try {
      Await.until("no node is known to be warm", () -> metric("nodes") == 0);
      long waits = metric("waits");
      place(TASK_MB);
      place(TASK_MB);
      assertEquals(waits, metric("waits"));
    } finally {
      zookeeper.start();
    }
  }
}
