// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Await;
import io.hottub.it.harness.Daemon;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import io.hottub.it.harness.YarnNode;
import io.hottub.it.harness.ZooKeeperServer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A real NodeManager in the cluster view of a real ZooKeeper. */
@SuppressWarnings("try") // close waits for others; an interrupt fails the test
@NeedsHome
class ClusterViewIT {
  private static final String SETTING = "yarn.nodemanager.aux-services.hottub.";
  private static final Duration EFFECTIVE = Duration.ofSeconds(2);
  private static final Pattern REASON = Pattern.compile("\"reason\":\"([^\"]+)\"");

  /** Options that lead to two fingerprints. */
  private static final String A = "-Xmx96m";

  private static final String B = "-Xmx97m";

  private Pool pool;
  private YarnNode node;
  private ZooKeeperServer zookeeper;
  private Path classes;
  private Path go;
  private int runs;

  @BeforeEach
  void startYarn() throws Exception {
    pool = new Pool();
    node = new YarnNode(pool.root(), Home.path());
    zookeeper = new ZooKeeperServer(node.dir().resolve("zookeeper"));
    classes = Programs.compile(pool.work().resolve("classes"), "WaitsForFile");
    go = Files.createFile(pool.work().resolve("go"));
    zookeeper.invite(node);
    node.set(SETTING + "cluster-publish-interval-ms", "100");
    node.set(SETTING + "cluster-session-timeout-ms", "8000");
    // The marks in the pool are to outlive the NodeManager, as its JVMs do.
    node.set("yarn.nodemanager.recovery.enabled", "true");
    node.startResourceManager();
  }

  @AfterEach
  void stopAll() throws Exception {
    // Before the NodeManager: which then has to end without.
    zookeeper.close();
    node.close();
    pool.close();
  }

  /** One run through the client: how it was served, or why not by the pool. */
  private String run(String option) throws Exception {
    runs++;
    List<String> command =
        List.of(
            Home.JAVA.toString(),
            option,
            "-cp",
            classes.toString(),
            "WaitsForFile",
            pool.work().resolve("started-" + runs).toString(),
            go.toString());
    assertEquals(7, pool.start(pool.builder(command)).await().status(), pool.logs());
    List<String> trace = Files.readAllLines(pool.trace());
    String last = trace.get(trace.size() - 1);
    Matcher reason = REASON.matcher(last);
    return last.contains("\"served\":\"pool\"") ? "pool" : reason.find() ? reason.group(1) : last;
  }

  private String fingerprintOfLast() throws Exception {
    List<String> trace = Files.readAllLines(pool.trace());
    Matcher matcher =
        Pattern.compile("\"fingerprint\":\"([0-9a-f]{32})").matcher(trace.get(trace.size() - 1));
    assertTrue(matcher.find(), pool.logs());
    return matcher.group(1);
  }

  private String name() {
    return node.conf().get("yarn.nodemanager.address");
  }

  private String recordPath() {
    return "/hottub/nodes/" + name();
  }

  private String record(ZooKeeper client) throws Exception {
    return new String(client.getData(recordPath(), false, null), UTF_8);
  }

  private void awaitRecord(ZooKeeper client, String text) throws InterruptedException {
    Await.until("the record has " + text, () -> record(client).contains(text));
  }

  private static String idle(String fingerprint) {
    return "\""
        + fingerprint
        + "\":{\"idle\":1,\"leased\":0,\"templates\":0,\"other\":0,\"drained\":false}";
  }

  /** Waits for a mark, as long as a switch may take. */
  private void awaitMark(String mark, boolean there) throws InterruptedException {
    Path file = pool.userFolder().resolve(mark);
    long deadline = System.nanoTime() + EFFECTIVE.toNanos();
    while (Files.exists(file, LinkOption.NOFOLLOW_LINKS) != there) {
      assertTrue(System.nanoTime() < deadline, "no effect within " + EFFECTIVE + ": " + mark);
      Thread.sleep(10);
    }
  }

  @Test
  void theRecordComesAndGoesWithTheNodeManager() throws Exception {
    zookeeper.start();
    try (ZooKeeper client = zookeeper.client(ZooKeeperServer.CREDENTIALS);
        ZooKeeper stranger = zookeeper.client(null)) {
      assertNull(client.exists("/hottub", false));
      Daemon nodeManager = node.startNodeManager();
      assertEquals("pool", run(A));
      awaitRecord(client, idle(fingerprintOfLast()));
      node.awaitMetric("cluster.connected", "\"Value\" : 1");
      String listed = node.cluster(0, "ps");
      assertTrue(listed.contains(name()) && listed.contains(fingerprintOfLast()), listed);

      assertThrows(
          KeeperException.NoAuthException.class, () -> stranger.getData(recordPath(), false, null));
      node.cluster(0, "on");
      for (String path : List.of("/hottub", "/hottub/nodes", "/hottub/switch", recordPath())) {
        List<ACL> acls = client.getACL(path, null);
        assertEquals(1, acls.size(), path + acls);
        assertEquals("digest", acls.get(0).getId().getScheme());
      }
      assertThrows(
          KeeperException.NoAuthException.class,
          () -> stranger.setData("/hottub/switch", "{}".getBytes(UTF_8), -1));
      assertThrows(
          KeeperException.NoAuthException.class, () -> stranger.delete("/hottub/switch", -1));

      nodeManager.kill();
      Await.until("the record is gone", () -> client.exists(recordPath(), false) == null);
      assertEquals("pool", run(A), "without a NodeManager");
    }
  }

  @Test
  void theSwitchTakesEffect() throws Exception {
    zookeeper.start();
    node.startNodeManager();
    assertEquals("pool", run(A));
    final String a = fingerprintOfLast();
    assertEquals("pool", run(B));
    pool.awaitIdle();
    try (ZooKeeper client = zookeeper.client(ZooKeeperServer.CREDENTIALS)) {
      awaitRecord(client, idle(a));
      node.cluster(0, "drain", "fp", a.substring(0, 12));
      awaitMark(a + "/drained", true);
      assertEquals("drained", run(A));
      assertEquals("pool", run(B));
      Await.until("its idle JVM ends", () -> pool.sockets().size() == 1);
      awaitRecord(
          client,
          "\"" + a + "\":{\"idle\":0,\"leased\":0,\"templates\":0,\"other\":0,\"drained\":true}");
      assertTrue(node.cluster(0, "ps").contains("drained fingerprint: " + a));
      node.cluster(0, "undrain", "fp", a);
      awaitMark(a + "/drained", false);
      assertEquals("pool", run(A));

      node.cluster(0, "drain", "node", name());
      awaitMark("drained", true);
      assertEquals("drained", run(B));
      node.cluster(0, "drain", "node", "another.invalid:1");
      node.cluster(0, "undrain", "node", name());
      awaitMark("drained", false);
      assertEquals("pool", run(B));

      node.cluster(0, "off");
      awaitMark("drained", true);
      assertEquals("drained", run(A));
      node.awaitMetric("cluster.malformed", "\"Count\" : 0");
      client.setData("/hottub/switch", "{\"off\":\"maybe\"}".getBytes(UTF_8), -1);
      node.awaitCounted("cluster.malformed");
      assertEquals("drained", run(A), "as it was switched last");
      assertTrue(node.cluster(0, "ps").contains("not obeyed"));
      node.cluster(0, "on");
      awaitMark("drained", false);
      assertEquals(1, said("WARN .*The cluster's switch is not obeyed: .*"));
      assertEquals(1, said("INFO .*The cluster's switch can be obeyed again"));
      assertEquals("pool", run(A));
      node.cluster(100, "drain", "fp");
      node.cluster(111, "drain", "fp", "nothing-like-it");
    }
  }

  /** Lines of the NodeManager's log. */
  private long said(String pattern) throws Exception {
    return Files.readAllLines(node.dir().resolve("NodeManager.log")).stream()
        .filter(line -> line.matches(".*" + pattern))
        .count();
  }

  @Tag("long")
  @Test
  void runsGoOnWithoutZooKeeper() throws Exception {
    zookeeper.start();
    Daemon first = node.startNodeManager();
    assertEquals("pool", run(A));
    try (ZooKeeper client = zookeeper.client(ZooKeeperServer.CREDENTIALS)) {
      awaitRecord(client, idle(fingerprintOfLast()));
    }
    zookeeper.kill();
    assertEquals("pool", run(A));
    node.awaitMetric("cluster.connected", "\"Value\" : 0");
    node.awaitCounted("cluster.sessions_lost");
    pool.awaitIdle();
    assertEquals("pool", run(A));
    zookeeper.start();
    node.awaitMetric("cluster.connected", "\"Value\" : 1");
    node.cluster(0, "off");
    awaitMark("drained", true);
    try (ZooKeeper client = zookeeper.client(ZooKeeperServer.CREDENTIALS)) {
      awaitRecord(client, "\"drained\":true");
    }
    assertEquals(1, said("WARN .*The session with ZooKeeper is lost: .*"));
    assertEquals(1, said("INFO .*ZooKeeper is there again"));

    zookeeper.kill();
    first.stop();
    assertEquals("drained", run(A));
    node.startNodeManager();
    assertEquals("drained", run(A), "the next NodeManager does not know better");
    zookeeper.start();
    node.awaitMetric("cluster.connected", "\"Value\" : 1");
    node.cluster(0, "on");
    awaitMark("drained", false);
    assertEquals("pool", run(A));
  }

  @Test
  void withoutTheRightsTheNodeWorksWithout() throws Exception {
    zookeeper.start();
    zookeeper.invite(node, "nm:wrong");
    try (ZooKeeper client = zookeeper.client(ZooKeeperServer.CREDENTIALS)) {
      client.create("/hottub", new byte[0], ZooDefs.Ids.CREATOR_ALL_ACL, CreateMode.PERSISTENT);
      Daemon nodeManager = node.startNodeManager();
      node.awaitMetric("cluster.connected", "\"Value\" : 1");
      node.awaitCounted("cluster.failures");
      assertEquals("pool", run(A));
      assertNull(client.exists("/hottub/nodes", false));
      node.cluster(111, "off");
      nodeManager.stop();
    }
  }

  /** Whoever makes the root first must not be able to lend it to everybody. */
  @Test
  void aSwitchThatAnyoneMayChangeIsNotObeyed() throws Exception {
    zookeeper.start();
    try (ZooKeeper stranger = zookeeper.client(null)) {
      stranger.create("/hottub", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      stranger.create(
          "/hottub/switch",
          "{\"version\":1,\"off\":true,\"nodes\":[],\"fingerprints\":[]}".getBytes(UTF_8),
          ZooDefs.Ids.READ_ACL_UNSAFE,
          CreateMode.PERSISTENT);
      node.startNodeManager();
      node.awaitCounted("cluster.malformed");
      assertEquals("pool", run(A));
      assertTrue(node.cluster(111, "on").contains("may be changed by anyone"));
    }
  }

  /** With ZooKeeper's own mechanism for passwords, where a cluster has Kerberos. */
  @Test
  void sasl() throws Exception {
    Path jaas =
        Files.writeString(
            node.dir().resolve("jaas.conf"),
            """
            Server {
              org.apache.zookeeper.server.auth.DigestLoginModule required user_nm="right";
            };
            Client {
              org.apache.zookeeper.server.auth.DigestLoginModule required
              username="nm" password="right";
            };
            """);
    String option = "-Djava.security.auth.login.config=" + jaas;
    zookeeper.jvmOption(option);
    zookeeper.jvmOption(
        "-Dzookeeper.authProvider.1=org.apache.zookeeper.server.auth.SASLAuthenticationProvider");
    zookeeper.start();
    node.jvmOption(option);
    node.set(SETTING + "cluster-auth", "sasl");
    node.set(SETTING + "cluster-readers", "world:anyone");
    node.startNodeManager();
    try (ZooKeeper stranger = zookeeper.client(null)) {
      awaitRecord(stranger, "\"fingerprints\":{}");
      assertTrue(stranger.getACL(recordPath(), null).toString().contains("'sasl,'nm"));
      node.cluster(0, "off");
      awaitMark("drained", true);
      assertThrows(
          KeeperException.NoAuthException.class,
          () -> stranger.setData("/hottub/switch", new byte[0], -1));
    }
  }
}
