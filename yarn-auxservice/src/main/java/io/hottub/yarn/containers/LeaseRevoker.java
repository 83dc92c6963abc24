// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import com.codahale.metrics.MetricRegistry;
import io.hottub.protocol.JvmState;
import io.hottub.protocol.KeeperConnection;
import io.hottub.protocol.KeeperSocket;
import io.hottub.protocol.KeeperState;
import io.hottub.protocol.PoolDirectory;
import io.hottub.yarn.metrics.Metrics;
import io.hottub.yarn.pool.PoolScanner;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends the leases of a container that YARN is about to kill. */
final class LeaseRevoker {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseRevoker.class);
  private static final int SIGKILL = 9;

  private final PoolDirectory pool;
  private final Duration wait;
  private final MetricRegistry registry;

  /**
   * @param wait longest time that one container's leases may take to end
   */
  LeaseRevoker(PoolDirectory pool, Duration wait, MetricRegistry registry) {
    this.pool = pool;
    this.wait = wait;
    this.registry = registry;
    Metrics.begin(registry, "kill.leases_late", "kill.failures");
  }

  /**
   * Revokes all leases whose client is in a process group, and waits for their end. Returns when
   * they have ended or the time is up; what happens to a JVM that cannot end its lease is the
   * keeper's business, which also revokes what this missed as soon as the client is dead.
   *
   * @param processGroup the group that YARN would signal
   * @param containerId the container, for leases whose group the keeper does not know
   * @return whether there was one
   */
  boolean revoke(long processGroup, String containerId) throws IOException {
    boolean hasRevoked = false;
    long deadline = System.nanoTime() + wait.toNanos();
    List<KeeperSocket> busyFirst = new ArrayList<>(pool.sockets());
    busyFirst.sort(Comparator.comparing(KeeperSocket::idleHint));
    for (KeeperSocket socket : busyFirst) {
      Duration left = Duration.ofNanos(deadline - System.nanoTime());
      if (left.isNegative()) {
        LOG.warn("No time left to ask all keepers about {}", containerId);
        break;
      }
      hasRevoked |= revoke(socket, processGroup, containerId, left);
    }
    return hasRevoked;
  }

  private boolean revoke(
      KeeperSocket socket, long processGroup, String containerId, Duration left) {
    Duration timeout = left.compareTo(PoolScanner.TIMEOUT) < 0 ? left : PoolScanner.TIMEOUT;
    try (KeeperConnection connection = KeeperConnection.open(socket, timeout)) {
      KeeperState state = connection.status();
      if (isLeasedBy(state, processGroup, containerId)) {
        LOG.info("Revoking run {} of JVM {} for {}", state.run(), state.jvmPid(), containerId);
        registry.counter("kill.leases_revoked").inc();
        revoke(connection, left);
        return true;
      }
    } catch (ConnectException | NoSuchFileException e) {
      LOG.debug("{} has ended", socket, e);
    } catch (IOException e) {
      LOG.warn("Cannot revoke at keeper {}", socket.keeperPid(), e);
      registry.counter("kill.failures").inc();
    }
    return false;
  }

  private void revoke(KeeperConnection connection, Duration left) throws IOException {
    try {
      connection.revoke(SIGKILL, left);
    } catch (EOFException e) {
      LOG.debug("The JVM has ended with its lease", e);
    } catch (SocketTimeoutException e) {
      LOG.warn("A revoked lease has not ended within {}", wait, e);
      registry.counter("kill.leases_late").inc();
    }
  }

  /**
   * YARN's signal reaches a process group, so that group is what counts. A process that has left it
   * outlives its container on a stock JVM too.
   */
  private static boolean isLeasedBy(KeeperState state, long processGroup, String containerId) {
    if (state.state() != JvmState.LEASED) {
      return false;
    }
    return state.clientPgid() == null
        ? containerId.equals(state.containerId())
        : state.clientPgid() == processGroup;
  }
}
