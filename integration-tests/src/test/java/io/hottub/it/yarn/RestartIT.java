// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Await;
import io.hottub.it.harness.Daemon;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.Master;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Run;
import io.hottub.it.harness.StayingContainers;
import io.hottub.it.harness.StayingContainers.Stay;
import io.hottub.it.harness.WaitingRuns;
import io.hottub.it.harness.WaitingRuns.End;
import io.hottub.it.harness.WaitingRuns.WaitingRun;
import io.hottub.it.harness.YarnNode;
import io.hottub.protocol.KeeperSocket;
import io.hottub.protocol.KeeperState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A NodeManager that stops, crashes, hangs, or starts on what another has left: leases end or live
 * on as the processes of stock JVMs do, and no JVM is left behind.
 */
@NeedsHome
class RestartIT {
  private static final int TERMINATED = 143;
  private static final String SERVICE = "yarn.nodemanager.aux-services.hottub.";

  private Pool pool;
  private YarnNode node;
  private WaitingRuns runs;
  private StayingContainers stays;

  @BeforeEach
  void createYarn() throws Exception {
    pool = new Pool();
    node = new YarnNode(pool.root(), Home.path());
    // A stock JVM does not end within YARN's 250 ms on a busy machine.
    node.set("yarn.nodemanager.sleep-delay-before-sigkill.ms", "3000");
  }

  @AfterEach
  void stopYarn() throws Exception {
    // JVMs first: a supervised NodeManager leaves its containers running.
    pool.retireAll();
    node.close();
    pool.close();
  }

  private Daemon startYarn() throws Exception {
    node.startResourceManager();
    runs = new WaitingRuns(pool, node.client());
    stays = new StayingContainers(pool, node);
    return node.startNodeManager();
  }

  private static void awaitGone(long pid) throws Exception {
    Await.until("process " + pid + " has ended", () -> Run.hasEnded(pid));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void stoppingTheNodeManagerEndsItsRuns(boolean recovery) throws Exception {
    node.set("yarn.nodemanager.recovery.enabled", Boolean.toString(recovery));
    Daemon first = startYarn();
    long jvm;
    try (Master master = new Master(node, "default")) {
      List<Stay> both =
          List.of(stays.start(master, false, "quiet"), stays.start(master, true, "quiet"));
      jvm = pool.trainedJvm();
      first.stop();
      for (Stay stay : both) {
        assertEquals(TERMINATED, stays.awaitExitCode(stay), pool.logs());
        assertTrue(stay.hookHasRun());
      }
    }
    if (recovery) {
      pool.awaitIdle();
    } else {
      awaitGone(jvm);
    }
    node.startNodeManager();
    try (Master master = new Master(node, "default")) {
      Stay next = stays.start(master, true, "quiet");
      assertEquals(recovery, jvm == pool.trainedJvm());
      master.stop(next.container());
      assertEquals(TERMINATED, stays.awaitExitCode(next));
    }
  }

  @Tag("long")
  @Test
  void aRunOutlivesACrashWithoutRecoveryAsAStockOneDoes() throws Exception {
    Daemon first = startYarn();
    List<WaitingRun> both = List.of(runs.start(false), runs.start(true));
    long jvm = pool.trainedJvm();
    first.kill();
    node.startNodeManager();
    for (WaitingRun run : both) {
      run.letGo();
    }
    End stock = both.get(0).end();
    assertEquals(stock, both.get(1).end());
    for (WaitingRun run : both) {
      Await.until("the run has ended", () -> Files.exists(run.status()));
      assertEquals("7\n", Files.readString(run.status()));
    }
    pool.awaitIdle();
    assertEquals(WaitingRuns.UNDISTURBED, runs.undisturbed(true));
    pool.awaitIdle();
    assertEquals(jvm, pool.trainedJvm(), pool.logs());
  }

  @Tag("long")
  @Test
  void theRunsOfALostNodeEndWhenItComesBack() throws Exception {
    node.set("yarn.nm.liveness-monitor.expiry-interval-ms", "15000");
    Daemon nodeManager = startYarn();
    try (Master master = new Master(node, "default")) {
      List<Stay> both =
          List.of(stays.start(master, false, "quiet"), stays.start(master, true, "quiet"));
      long jvm = pool.trainedJvm();
      nodeManager.suspend();
      try {
        for (Stay stay : both) {
          var status = master.awaitEnd(stay.container());
          assertEquals(ContainerExitStatus.ABORTED, status.getExitStatus());
          assertTrue(status.getDiagnostics().contains("lost"), status.getDiagnostics());
        }
      } finally {
        nodeManager.resume();
      }
      for (Stay stay : both) {
        assertEquals(TERMINATED, stays.awaitExitCode(stay), pool.logs());
        assertTrue(stay.hookHasRun());
      }
      pool.awaitIdle();
      assertEquals(jvm, pool.trainedJvm(), pool.logs());
    }
    assertEquals(WaitingRuns.UNDISTURBED, runs.undisturbed(true));
  }

  @Tag("long")
  @Test
  void whatTheServiceKeepsEndsAfterIt() throws Exception {
    node.set(SERVICE + "idle-seconds", "6");
    node.set(SERVICE + "min-idle", "1");
    Daemon nodeManager = startYarn();
    assertEquals(WaitingRuns.UNDISTURBED, runs.undisturbed(true));
    pool.awaitIdle();
    KeeperState kept = pool.state();
    Thread.sleep(9_000);
    assertEquals(kept.jvmPid(), pool.state().jvmPid(), "kept past its idle time");
    nodeManager.kill();
    awaitGone(kept.jvmPid());
    awaitGone(kept.keeperPid());
    node.startNodeManager();
    assertEquals(WaitingRuns.UNDISTURBED, runs.undisturbed(true));
  }

  @Test
  void damagedFilesOfThePoolDoNotStopIt() throws Exception {
    Path folder = pool.userFolder();
    byte[] noise = new byte[100_000];
    new Random(1).nextBytes(noise);
    for (String name : List.of("limits", "journal", "journal.1", "digests", "libraries")) {
      Files.write(folder.resolve(name), noise);
    }
    Path fingerprint = Files.createDirectory(folder.resolve("a".repeat(32)));
    for (String name : List.of("i-1", "b-4194304", "i-9999999999", "drained.new", "1.log")) {
      Files.write(fingerprint.resolve(name), noise);
    }
    Files.write(folder.resolve("b".repeat(32)), noise);
    Files.createSymbolicLink(folder.resolve("c".repeat(32)), Path.of("/nowhere"));
    startYarn();
    for (int i = 0; i < 2; i++) {
      assertEquals(WaitingRuns.UNDISTURBED, runs.undisturbed(true));
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(2);
    node.awaitMetric("pool.jvms.idle", "\"Value\" : 1");
  }

  @Test
  void anUnsafeFolderDoesNotStopTheNodeManager() throws Exception {
    Path folder = pool.userFolder();
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    startYarn();
    assertTrue(node.jmx("hottub:name=pool.failures,*").contains("\"Count\" : 1"));
    assertEquals(WaitingRuns.UNDISTURBED, runs.undisturbed(true));
    assertEquals(List.of(0L), pool.servedBy(), "it ran cold");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
  }

  @Tag("long")
  @Test
  void jvmsOfTheVersionBeforeAnUpgradeServeTheirLeaseAndEnd() throws Exception {
    Path upgraded = anotherBuildOf(Home.path(), pool.work().resolve("upgraded"));
    node.set("yarn.nodemanager.recovery.enabled", "true");
    node.set("yarn.nodemanager.recovery.supervised", "true");
    node.set(SERVICE + "idle-seconds", "20");
    Daemon first = startYarn();
    WaitingRun leased = runs.start(true);
    long leasedJvm = pool.state().jvmPid();
    assertEquals(WaitingRuns.UNDISTURBED, runs.undisturbed(true));
    List<Long> oldKeepers = pool.sockets().stream().map(KeeperSocket::keeperPid).toList();
    assertTrue(
        oldKeepers.size() >= 2, "one JVM is leased; another is idle, or has become a template");

    first.stop();
    node.set(SERVICE + "home", upgraded.toString());
    node.startNodeManager();
    WaitingRun fresh = runs.start(true, upgraded);
    fresh.letGo();
    assertEquals(WaitingRuns.UNDISTURBED, fresh.end());
    List<Long> served = pool.servedBy();
    assertTrue(served.get(2) != 0 && !served.subList(0, 2).contains(served.get(2)), pool.logs());

    assertTrue(ProcessHandle.of(leasedJvm).isPresent(), "the old lease goes on");
    leased.letGo();
    assertEquals(WaitingRuns.UNDISTURBED, leased.end());
    for (long keeper : oldKeepers) {
      awaitGone(keeper);
    }
    awaitGone(leasedJvm);
  }

  /** The same home in another place and with another build id, as an upgrade looks to the pool. */
  private static Path anotherBuildOf(Path home, Path copy) throws IOException {
    try (Stream<Path> files = Files.walk(home)) {
      for (Path file : files.toList()) {
        Path target = copy.resolve(home.relativize(file));
        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
          Files.createDirectory(target);
        } else if (Files.isSymbolicLink(file)) {
          Files.createSymbolicLink(target, Files.readSymbolicLink(file));
        } else {
          Files.copy(file, target, java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    }
    Files.writeString(copy.resolve("lib/hottub/build-id"), "the next build\n");
    return copy;
  }
}
