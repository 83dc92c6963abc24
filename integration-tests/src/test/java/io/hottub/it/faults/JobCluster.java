// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.it.harness.Daemon;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.MapReduceOnYarn;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.ShuffleService;
import io.hottub.it.harness.SparkHome;
import io.hottub.it.harness.TezOnYarn;
import io.hottub.it.harness.YarnNode;
import io.hottub.it.harness.ZooKeeperServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A ResourceManager, a NodeManager with a pool and ZooKeeper, with all that jobs of MapReduce, Tez
 * and Spark need; each of the three may end and come back. The NodeManager's local directory is a
 * small file system of its own.
 */
@SuppressWarnings("try") // close waits for others; an interrupt fails the campaign
final class JobCluster implements AutoCloseable {
  private static final String SERVICE = "yarn.nodemanager.aux-services.hottub.";
  private static final String LOCAL_SIZE = "600m";
  private static final int SESSION_MS = 4_000;

  private final Pool pool = new Pool();
  private final YarnNode node = new YarnNode(pool.root(), Home.path());
  private final Path local = Files.createDirectory(node.dir().resolve("local"));
  private final ZooKeeperServer zookeeper;
  private final Path mapReduce;
  private final Path tez;
  private final SparkHome spark;
  private final String nodeManagerClassPath;
  private boolean mounted;

  /** Starts all of it. */
  JobCluster() throws Exception {
    mapReduce = SparkHome.fetchOfThisHadoop("mapreduce");
    tez = SparkHome.fetchOfThisHadoop("tez");
    zookeeper = new ZooKeeperServer(node.dir().resolve("zookeeper"));
    configure();
    MapReduceOnYarn.install(node, mapReduce);
    TezOnYarn.install(node, tez);
    nodeManagerClassPath = Daemon.dropInJar() + ShuffleService.install(node);
    mounted = mount(local);
    zookeeper.start();
    zookeeper.invite(node);
    node.startResourceManager();
    startNodeManager();
    spark = new SparkHome(node, pool, "3");
    // By themselves they ask every second, or every 3 s.
    spark.set("spark.yarn.report.interval", "200ms");
    spark.set("spark.yarn.scheduler.heartbeat.interval-ms", "200");
  }

  private void configure() throws IOException {
    node.set("yarn.nodemanager.resource.memory-mb", "6144");
    node.set("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "200");
    node.set("yarn.nodemanager.aux-services", "mapreduce_shuffle,hottub");
    node.set("yarn.nodemanager.recovery.enabled", "true");
    node.set("yarn.nodemanager.recovery.supervised", "true");
    // Logs of containers are read when something was wrong.
    node.set("yarn.nodemanager.log.retain-seconds", "3600");
    // A stock JVM does not end within YARN's 250 ms on a busy machine.
    node.set("yarn.nodemanager.sleep-delay-before-sigkill.ms", "3000");
    // A full disk stays what it is: the node is not to be taken out for it.
    node.set("yarn.nodemanager.disk-health-checker.enable", "false");
    node.set("yarn.client.nodemanager-connect.retry-interval-ms", "200");
    node.set("yarn.resourcemanager.recovery.enabled", "true");
    node.set(
        "yarn.resourcemanager.store.class",
        "org.apache.hadoop.yarn.server.resourcemanager.recovery.FileSystemRMStateStore");
    node.set(
        "yarn.resourcemanager.fs.state-store.uri", node.dir().resolve("state").toUri().toString());
    node.set("yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms", "1000");
    node.set(SERVICE + "cluster-session-timeout-ms", Integer.toString(SESSION_MS));
    node.set(SERVICE + "cluster-publish-interval-ms", "100");
    node.set(SERVICE + "idle-seconds", "900");
    // Crashes of one program are what this is about: they are not to close its fingerprint.
    node.set(SERVICE + "crashes", "0");
    // By themselves clients, masters and tasks ask every second, or every 5 s.
    node.set("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", "200");
    node.set("mapreduce.client.progressmonitor.pollinterval", "200");
    node.set("mapreduce.client.completion.pollinterval", "200");
    node.set("tez.am.am-rm.heartbeat.interval-ms.max", "200");
    node.set("tez.am.sleep.time.before.exit.millis", "500");
    node.set("tez.dag.status.pollinterval-ms", "200");
    // It tells the status of each container that ends.
    node.debug("org.apache.hadoop.yarn.server.nodemanager.NodeStatusUpdaterImpl");
  }

  /** As root only. */
  private static boolean mount(Path folder) throws IOException, InterruptedException {
    return run("mount", "-t", "tmpfs", "-o", "size=" + LOCAL_SIZE, "hottub-test", folder.toString())
        == 0;
  }

  private static int run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }

  Pool pool() {
    return pool;
  }

  YarnNode node() {
    return node;
  }

  ZooKeeperServer zookeeper() {
    return zookeeper;
  }

  Path mapReduce() {
    return mapReduce;
  }

  Path tez() {
    return tez;
  }

  SparkHome spark() {
    return spark;
  }

  /** The NodeManager's local directory. */
  Path local() {
    return local;
  }

  /** Whether that can be full without anybody else's noticing. */
  boolean canFillLocal() {
    return mounted;
  }

  void startNodeManager() throws IOException, InterruptedException {
    node.startNodeManagerWith(nodeManagerClassPath);
  }

  /** Waits until the node is registered. */
  void startResourceManager() throws IOException, InterruptedException {
    node.startResourceManager();
    node.awaitRegistered();
  }

  @Override
  public void close() throws Exception {
    spark.killAll();
    pool.retireAll();
    zookeeper.close();
    // While it is mounted its folder cannot be removed, and while the NodeManager runs it is in
    // use.
    node.nodeManager().close();
    if (mounted) {
      assertEquals(0, run("umount", "-l", local.toString()));
    }
    node.close();
    pool.close();
  }
}
