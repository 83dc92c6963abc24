// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Application;
import io.hottub.it.harness.Await;
import io.hottub.it.harness.Run;
import io.hottub.protocol.JvmState;
import io.hottub.protocol.MockKeeper;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.junit.jupiter.api.Test;

/** What a real NodeManager makes of containers, with a keeper that has no JVM. */
class ContainersIT extends ContainerRouting {
  @Override
  void startNodeManager() throws Exception {
    node.startNodeManager();
  }

  @Test
  void killingAContainerRevokesItsLease() throws Exception {
    Path pidFile = node.dir().resolve("pid");
    // Like a client whose pooled JVM does not end on SIGTERM.
    Application application =
        new Application(node.client())
            .submit("trap '' TERM; echo $$ > " + pidFile + "; while true; do sleep 1; done");
    Await.until("the container runs", () -> Files.exists(pidFile) && Files.size(pidFile) > 0);
    long pid = Long.parseLong(Files.readString(pidFile).trim());
    String state = MockKeeper.stateJson(1, JvmState.LEASED, "client_pgid", pid);
    Path folder = MockKeeper.fingerprintFolder(pool.pool(), "a");
    try (MockKeeper keeper =
        MockKeeper.busy(
            folder,
            1,
            (request, payload) ->
                request.equals("STATUS") ? MockKeeper.state(state) : MockKeeper.done())) {
      application.kill();
      assertEquals(YarnApplicationState.KILLED, application.awaitEnd());
      Await.until("the lease is revoked", () -> keeper.requests().contains("REVOKE"));
      Await.until("the process has ended", () -> Run.hasEnded(pid));
      assertTrue(node.jmx("hottub:name=kill.leases_revoked,*").contains("\"Count\" : 1"));
    }
  }
}
