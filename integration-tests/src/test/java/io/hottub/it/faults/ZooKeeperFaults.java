// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.it.harness.WaitingRuns;
import io.hottub.it.harness.WaitingRuns.WaitingRun;
import io.hottub.it.harness.YarnNode;
import io.hottub.it.harness.ZooKeeperServer;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

/** Disturbances of the cluster view: what a node must do without, and must not be misled by. */
@SuppressWarnings("try") // close waits for others; an interrupt fails the campaign
final class ZooKeeperFaults implements AutoCloseable {
  private static final String SETTING = "yarn.nodemanager.aux-services.hottub.";
  private static final int SESSION_MS = 4_000;
  private static final String SWITCH = "/hottub/switch";
  private static final String ALL_ON =
      "{\"version\":1,\"off\":false,\"nodes\":[],\"fingerprints\":[]}";

  private final WaitingRuns runs;
  private final ZooKeeperServer zookeeper;

  /** Starts ZooKeeper, and lets a NodeManager that is started after it take part. */
  ZooKeeperFaults(YarnNode node, WaitingRuns runs) throws Exception {
    this.runs = runs;
    zookeeper = new ZooKeeperServer(node.dir().resolve("zookeeper"));
    zookeeper.start();
    zookeeper.invite(node);
    node.set(SETTING + "cluster-session-timeout-ms", Integer.toString(SESSION_MS));
    node.set(SETTING + "cluster-publish-interval-ms", "100");
  }

  Map<String, Fault> kinds() {
    Map<String, Fault> kinds = new LinkedHashMap<>();
    kinds.put("SIGKILL to ZooKeeper, and restart", this::killed);
    kinds.put("SIGSTOP to ZooKeeper", this::stopped);
    kinds.put("nonsense in ZooKeeper", this::nonsense);
    kinds.put("switched off in ZooKeeper, and on again", this::switched);
    return kinds;
  }

  private Fault.Injection killed(Random random) throws Exception {
    WaitingRun run = runs.start(random.nextBoolean());
    boolean endBefore = random.nextBoolean();
    zookeeper.kill();
    try {
      if (endBefore) {
        end(run);
      }
    } finally {
      zookeeper.start();
    }
    if (!endBefore) {
      end(run);
    }
    return new Fault.Injection(
        endBefore ? "the run ends while there is none" : "the run ends later",
        true,
        FaultJobs.COMPLETE);
  }

  /** Shorter or longer than a session. */
  private Fault.Injection stopped(Random random) throws Exception {
    WaitingRun run = runs.start(random.nextBoolean());
    int ms = random.nextInt(2 * SESSION_MS);
    zookeeper.suspend();
    try {
      Thread.sleep(ms);
      end(run);
    } finally {
      zookeeper.resume();
    }
    return new Fault.Injection("for " + ms + " ms", true, FaultJobs.COMPLETE);
  }

  private Fault.Injection nonsense(Random random) throws Exception {
    WaitingRun run = runs.start(random.nextBoolean());
    String text = ALL_ON.substring(0, random.nextInt(ALL_ON.length()));
    set(text);
    try {
      end(run);
      end(runs.start(random.nextBoolean()));
    } finally {
      set(ALL_ON);
    }
    return new Fault.Injection(text.length() + " bytes", true, FaultJobs.COMPLETE);
  }

  private Fault.Injection switched(Random random) throws Exception {
    WaitingRun run = runs.start(random.nextBoolean());
    int ms = random.nextInt(3_000);
    set(ALL_ON.replace("\"off\":false", "\"off\":true"));
    try {
      Thread.sleep(ms);
      end(run);
      end(runs.start(random.nextBoolean()));
    } finally {
      set(ALL_ON);
    }
    return new Fault.Injection("for " + ms + " ms", true, FaultJobs.COMPLETE);
  }

  private static void end(WaitingRun run) throws Exception {
    run.letGo();
    assertEquals(WaitingRuns.UNDISTURBED, run.end());
    assertEquals("7\n", Files.readString(run.status()));
  }

  private void set(String text) throws Exception {
    try (ZooKeeper client = zookeeper.client(ZooKeeperServer.CREDENTIALS)) {
      try {
        client.setData(SWITCH, text.getBytes(UTF_8), -1);
      } catch (KeeperException.NoNodeException e) {
        client.create(
            SWITCH, text.getBytes(UTF_8), ZooDefs.Ids.CREATOR_ALL_ACL, CreateMode.PERSISTENT);
      }
    }
  }

  @Override
  public void close() throws InterruptedException {
    zookeeper.close();
  }
}
