// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.it.harness.Await;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.YarnNode;
import io.hottub.it.harness.ZooKeeperServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node warms its JVMs when it is its turn. */
@SuppressWarnings("try") // close waits for others; an interrupt fails the test
@NeedsHome
class WarmingTurnIT {
  private static final String SETTING = "yarn.nodemanager.aux-services.hottub.";
  private static final String ELECTION = "/hottub/warming/0";
  private static final Duration WARMED = Duration.ofMinutes(3);

  private Pool pool;
  private YarnNode node;
  private ZooKeeperServer zookeeper;

  @BeforeEach
  void startYarn() throws Exception {
    pool = new Pool();
    node = new YarnNode(pool.root(), Home.path());
    zookeeper = new ZooKeeperServer(node.dir().resolve("zookeeper"));
    Path recipes = Files.createDirectory(pool.work().resolve("recipes"));
    Files.writeString(
        recipes.resolve("version.properties"),
        "class-path = "
            + recipes
            + "\nmain-class = com.sun.tools.javac.Main\narguments = -version\nruns = 1\n");
    zookeeper.invite(node);
    node.set(SETTING + "cluster-warming-nodes", "1");
    node.set(SETTING + "recipes", recipes.toString());
    node.set(SETTING + "recipe-cpu-percent", "100");
    node.startResourceManager();
  }

  @AfterEach
  void stopAll() throws Exception {
    pool.retireAll();
    zookeeper.close();
    node.close();
    pool.close();
  }

  private static int candidates(ZooKeeper client) throws Exception {
    try {
      return client.getChildren(ELECTION, false).size();
    } catch (KeeperException.NoNodeException e) {
      return 0;
    }
  }

  @Test
  void waitsForTheNodesThatWereFirst() throws Exception {
    zookeeper.start();
    try (ZooKeeper other = zookeeper.client(ZooKeeperServer.CREDENTIALS)) {
      for (String path : List.of("/hottub", "/hottub/warming", ELECTION)) {
        other.create(path, new byte[0], ZooDefs.Ids.CREATOR_ALL_ACL, CreateMode.PERSISTENT);
      }
      String first =
          other.create(
              ELECTION + "/other-latch-",
              "other".getBytes(UTF_8),
              ZooDefs.Ids.CREATOR_ALL_ACL,
              CreateMode.EPHEMERAL_SEQUENTIAL);
      node.startNodeManager();
      Await.until("it stands for election", () -> candidates(other) == 2);
      Thread.sleep(5_000);
      assertEquals(List.of(), pool.sockets());
      other.delete(first, -1);
      Await.until("a JVM is warm", WARMED, () -> pool.sockets().size() == 1);
      Await.until("it has given back its turn", () -> candidates(other) == 0);
    }
  }
}
