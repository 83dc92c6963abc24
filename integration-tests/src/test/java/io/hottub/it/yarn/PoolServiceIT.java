// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.hottub.it.harness.Await;
import io.hottub.it.harness.Daemon;
import io.hottub.it.harness.YarnNode;
import io.hottub.protocol.JvmState;
import io.hottub.protocol.MockKeeper;
import io.hottub.protocol.TempPool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The pool service in a real NodeManager, with a keeper that has no JVM. */
class PoolServiceIT {
  private TempPool pool;
  private YarnNode node;
  private MockKeeper keeper;

  @BeforeEach
  void createPool() throws IOException {
    pool = new TempPool();
    Path home = pool.pool().root().resolve("no-home");
    node = new YarnNode(pool.pool().root(), home);
    // A NodeManager that finds no ResourceManager is deaf to SIGTERM.
    node.startResourceManager();
    keeper =
        MockKeeper.idle(
            MockKeeper.fingerprintFolder(pool.pool(), "a"),
            1,
            (request, payload) ->
                request.equals("STATUS")
                    ? MockKeeper.state(MockKeeper.stateJson(1, JvmState.IDLE, "run", 3))
                    : MockKeeper.done());
  }

  @AfterEach
  void stopAll() throws Exception {
    keeper.close();
    node.close();
    pool.close();
  }

  @Test
  void stoppingTheNodeManagerEndsThePool() throws Exception {
    Daemon nodeManager = node.startNodeManager();
    assertTrue(Files.exists(pool.pool().userFolder().resolve("limits")));
    node.awaitMetric("pool.jvms.idle", "\"Value\" : 1");
    nodeManager.stop();
    assertEquals("RETIRE", keeper.requests().get(keeper.requests().size() - 1));
  }

  @Test
  void theServiceWorksInAClassPathOfItsOwn() throws Exception {
    Daemon nodeManager = node.startNodeManagerWithIsolatedService();
    node.awaitMetric("pool.jvms.idle", "\"Value\" : 1");
    nodeManager.stop();
    assertEquals("RETIRE", keeper.requests().get(keeper.requests().size() - 1));
  }

  @Test
  void aManifestBringsChangesAndTakesTheServiceWithoutARestart() throws Exception {
    assumeFalse(VersionInfo.getVersion().startsWith("3.5."), "3.5.0 reads an empty list by REST");
    node.startNodeManagerWithManifest();
    assertFalse(node.jmx("hottub:*").contains("pool.jvms.idle"), "there is no service yet");
    node.putManifest(manifest("1", 61));
    node.awaitMetric("pool.jvms.idle", "\"Value\" : 1");
    assertTrue(limits().contains("idle_seconds 61\n"), limits());
    node.putManifest(manifest("1", 62));
    assertTrue(limits().contains("idle_seconds 61\n"), "a version that is there is left as it is");
    keeper.requests().clear();
    node.putManifest(manifest("2", 62));
    Await.until("the change is there", () -> limits().contains("idle_seconds 62\n"));
    node.awaitMetric("pool.jvms.idle", "\"Value\" : 1");
    node.putManifest("{\"services\": []}");
    Await.until("its metrics are gone", () -> !node.jmx("hottub:*").contains("pool.jvms.idle"));
    assertEquals("RETIRE", keeper.requests().get(keeper.requests().size() - 1));
  }

  private String limits() throws IOException {
    return Files.readString(pool.pool().userFolder().resolve("limits"));
  }

  /** As docs/operations.md has it. */
  private String manifest(String version, int idleSeconds) {
    return """
        {"services": [
          {"name": "hottub", "version": "%s",
           "configuration": {
             "properties": {
               "class.name": "io.hottub.yarn.HotTubAuxService",
               "yarn.nodemanager.aux-services.hottub.dir": "%s",
               "yarn.nodemanager.aux-services.hottub.scan-interval-ms": "100",
               "yarn.nodemanager.aux-services.hottub.idle-seconds": "%d"},
             "files": [{"src_file": "%s", "type": "STATIC"}]}}]}
        """
        .formatted(version, pool.pool().root(), idleSeconds, Daemon.dropInJar().toUri());
  }

  @Test
  void withRecoveryTheNextNodeManagerAdoptsThePool() throws Exception {
    node.set("yarn.nodemanager.recovery.enabled", "true");
    node.startNodeManager().stop();
    keeper.requests().clear();
    node.startNodeManager().kill();
    keeper.requests().clear();
    node.startNodeManager();
    Await.until("the JVM is watched again", () -> keeper.requests().contains("STATUS"));
    assertFalse(keeper.requests().contains("RETIRE"));
  }

  @Test
  void aPoolThatCannotBeUsedDoesNotStopTheNodeManager() throws Exception {
    node.set("yarn.nodemanager.aux-services.hottub.dir", "/proc/no-pool-here");
    node.startNodeManager();
    assertTrue(node.jmx("hottub:name=pool.failures,*").contains("\"Count\" : 1"));
  }
}
