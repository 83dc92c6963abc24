// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Await;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.Kdc;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import io.hottub.it.harness.YarnNode;
import io.hottub.it.harness.ZooKeeperServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A real NodeManager in the cluster view of a real ZooKeeper, on a cluster with Kerberos. */
@SuppressWarnings("try") // close waits for others; an interrupt fails the test
@NeedsHome
class KerberosClusterViewIT {
  private static final String SETTING = "yarn.nodemanager.aux-services.hottub.";
  private static final String SWITCH = "/hottub/switch";
  private static final ACL ALL_FOR_NODE_MANAGERS =
      new ACL(ZooDefs.Perms.ALL, new Id("sasl", "nodemanager" + Kdc.REALM));

  /** For whom ZooKeeper has no secrets. */
  private static final String OVERSEER = "super:right";

  private Pool pool;
  private YarnNode node;
  private Kdc kdc;
  private ZooKeeperServer zookeeper;

  @BeforeEach
  void startYarn() throws Exception {
    pool = new Pool();
    node = new YarnNode(pool.root(), Home.path());
    kdc = new Kdc(pool.work().resolve("kdc"), node, List.of("zookeeper/localhost", "bob"));
    zookeeper = new ZooKeeperServer(node.dir().resolve("zookeeper"));
    for (String option :
        List.of(
            kdc.jvmOption(),
            login("Server", "zookeeper/localhost", kdc.keytab()),
            "-Dzookeeper.authProvider.1=org.apache.zookeeper.server.auth.SASLAuthenticationProvider",
            "-Dzookeeper.kerberos.removeHostFromPrincipal=true",
            "-Dzookeeper.DigestAuthenticationProvider.superDigest="
                + DigestAuthenticationProvider.generateDigest(OVERSEER))) {
      zookeeper.jvmOption(option);
    }
    zookeeper.start();
    // All that there is to set but for the times.
    node.set(SETTING + "cluster-connect", zookeeper.address());
    node.set(SETTING + "cluster-publish-interval-ms", "100");
    node.set(SETTING + "cluster-session-timeout-ms", "8000");
    node.startResourceManager();
  }

  /** The JVM's option for a JAAS configuration of one section. */
  private String login(String section, String principal, Path keytab) throws Exception {
    Path file = pool.work().resolve(section + ".jaas");
    Files.writeString(file, Kdc.jaas(section, principal, keytab));
    return "-Djava.security.auth.login.config=" + file;
  }

  @AfterEach
  void stopAll() throws Exception {
    zookeeper.close();
    node.close();
    kdc.close();
    pool.close();
  }

  private String name() {
    return node.conf().get("yarn.nodemanager.address");
  }

  private String recordPath() {
    return "/hottub/nodes/" + name();
  }

  private void awaitRecord(ZooKeeper client, String text) throws InterruptedException {
    Await.until(
        "the record has " + text,
        () -> new String(client.getData(recordPath(), false, null), UTF_8).contains(text));
  }

  private void awaitDrained(boolean drained) throws InterruptedException {
    Path mark = pool.userFolder().resolve("drained");
    Await.until("drained is " + drained, () -> Files.isSymbolicLink(mark) == drained);
  }

  @Test
  void theNodeManagersKeytabIsEnough() throws Exception {
    node.startNodeManager();
    try (ZooKeeper overseer = zookeeper.client(OVERSEER);
        ZooKeeper stranger = zookeeper.client(null)) {
      awaitRecord(overseer, "\"drained\":false");
      node.cluster(0, "drain", "node", name());
      awaitDrained(true);
      awaitRecord(overseer, "\"drained\":true");
      for (String path : List.of("/hottub", "/hottub/nodes", SWITCH, recordPath())) {
        assertEquals(List.of(ALL_FOR_NODE_MANAGERS), overseer.getACL(path, null), path);
      }
      nothingIsFor(stranger);

      String own = node.conf().get("yarn.nodemanager.principal");
      node.set("yarn.nodemanager.principal", "bob" + Kdc.REALM);
      for (String command : List.of("ps", "off")) {
        assertTrue(node.cluster(111, command).contains("NoAuth for " + SWITCH), command);
      }
      node.set("yarn.nodemanager.principal", own);
    }

    zookeeper.kill();
    node.awaitMetric("cluster.connected", "\"Value\" : 0");
    // As careful operators have it. Whoever has not logged in is turned away, also from what all
    // may read.
    zookeeper.jvmOption("-Dzookeeper.sessionRequireClientSASLAuth=true");
    zookeeper.start();
    try (ZooKeeper stranger = zookeeper.client(null)) {
      assertThrows(
          KeeperException.SessionClosedRequireAuthException.class,
          () -> stranger.exists("/", false));
    }
    node.awaitMetric("cluster.connected", "\"Value\" : 1");
    assertTrue(Files.isSymbolicLink(pool.userFolder().resolve("drained")));
    String listed = node.cluster(0, "ps");
    assertTrue(listed.contains("drained node: " + name()), listed);
    node.cluster(0, "undrain", "node", name());
    awaitDrained(false);
    node.awaitMetric("cluster.malformed", "\"Count\" : 0");
  }

  private void nothingIsFor(ZooKeeper stranger) {
    byte[] nothing = new byte[0];
    for (String path : List.of(SWITCH, recordPath())) {
      assertThrows(
          KeeperException.NoAuthException.class, () -> stranger.getData(path, false, null));
      assertThrows(KeeperException.NoAuthException.class, () -> stranger.getACL(path, null));
      assertThrows(
          KeeperException.NoAuthException.class, () -> stranger.setData(path, nothing, -1));
      assertThrows(KeeperException.NoAuthException.class, () -> stranger.delete(path, -1));
    }
    assertThrows(
        KeeperException.NoAuthException.class,
        () ->
            stranger.create(
                "/hottub/nodes/x", nothing, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL));
  }

  /** Also: a JAAS configuration of the JVM's own comes first. */
  @Tag("long")
  @Test
  void aNodeThatCannotLogInWorksWithoutUntilItCan() throws Exception {
    Path keytab = pool.work().resolve("renewed.keytab");
    node.jvmOption(login("Client", "nodemanager/localhost", keytab));
    // Turns without a publication do not fail: they must not make it forget what it has told.
    node.set(SETTING + "cluster-publish-interval-ms", "6000");
    node.startNodeManager();
    Await.until(
        "it has failed again",
        () -> node.jmx("hottub:name=cluster.failures,*").matches("(?s).*\"Count\" : [2-9].*"));
    List<String> log = Files.readAllLines(node.dir().resolve("NodeManager.log"));
    assertEquals(1, log.stream().filter(l -> l.contains("No cluster view for now")).count());
    Path classes = Programs.compile(pool.work().resolve("classes"), "Small");
    List<String> run = List.of(Home.JAVA.toString(), "-cp", classes.toString(), "Small");
    assertEquals(0, pool.start(pool.builder(run)).await().status(), pool.logs());
    assertFalse(pool.servedBy().contains(0L), pool.logs());
    node.awaitMetric("pool.jvms.idle", "\"Value\" : 1");
    try (ZooKeeper overseer = zookeeper.client(OVERSEER)) {
      assertNull(overseer.exists("/hottub/nodes", false));
      assertTrue(node.cluster(111, "off").contains("hottub: "));
      Files.copy(kdc.keytab(), keytab);
      awaitRecord(overseer, "\"idle\":1");
      assertEquals(List.of(ALL_FOR_NODE_MANAGERS), overseer.getACL(recordPath(), null));
    }
    node.cluster(0, "off");
    awaitDrained(true);
  }
}
