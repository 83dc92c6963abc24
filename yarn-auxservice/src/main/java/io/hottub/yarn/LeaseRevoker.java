// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import com.codahale.metrics.MetricRegistry;
import io.hottub.protocol.JvmState;
import io.hottub.protocol.KeeperConnection;
import io.hottub.protocol.KeeperSocket;
import io.hottub.protocol.KeeperState;
import io.hottub.protocol.PoolDirectory;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends the leases of a container that YARN is about to kill. */
final class LeaseRevoker {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseRevoker.class);
  private static final int SIGKILL = 9;
  private static final long POLL_MS = 20;

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
  }

  /** A lease that was revoked: it is over when its keeper says anything else. */
  private record Revoked(KeeperSocket socket, Long run) {}

  /**
   * Revokes all leases whose client is in a process group, and waits for their end. Returns when
   * they have ended or the time is up; what happens to a JVM that cannot end its lease is the
   * keeper's business.
   *
   * @param processGroup the group that YARN would signal
   * @param containerId the container, for leases whose group the keeper does not know
   */
  void revoke(long processGroup, String containerId) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + wait.toNanos();
    List<Revoked> pending = new ArrayList<>();
    List<KeeperSocket> likelyFirst = new ArrayList<>(pool.sockets());
    likelyFirst.sort(Comparator.comparing(KeeperSocket::idleHint));
    for (KeeperSocket socket : likelyFirst) {
      if (left(deadline).isNegative()) {
        break;
      }
      revokeIfMatching(socket, processGroup, containerId, deadline, pending);
    }
    registry.counter("kill.leases_revoked").inc(pending.size());
    while (!pending.isEmpty() && !left(deadline).isNegative()) {
      pending.removeIf(lease -> hasEnded(lease, deadline));
      if (!pending.isEmpty()) {
        Thread.sleep(POLL_MS);
      }
    }
    if (!pending.isEmpty()) {
      LOG.warn("{} of {} did not end within {}", pending, containerId, wait);
      registry.counter("kill.leases_late").inc(pending.size());
    }
  }

  private void revokeIfMatching(
      KeeperSocket socket,
      long processGroup,
      String containerId,
      long deadline,
      List<Revoked> pending) {
    try (KeeperConnection connection = KeeperConnection.open(socket, timeout(deadline))) {
      KeeperState state = connection.status();
      if (isLeasedBy(state, processGroup, containerId)) {
        connection.revoke(SIGKILL);
        pending.add(new Revoked(socket, state.run()));
        LOG.info("Revoked run {} of JVM {} for {}", state.run(), state.jvmPid(), containerId);
      }
    } catch (ConnectException | NoSuchFileException e) {
      LOG.debug("{} has ended", socket, e);
    } catch (IOException e) {
      LOG.warn("Cannot revoke at keeper {}", socket.keeperPid(), e);
      registry.counter("kill.failures").inc();
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

  private static boolean hasEnded(Revoked lease, long deadline) {
    try (KeeperConnection connection = KeeperConnection.open(lease.socket(), timeout(deadline))) {
      KeeperState state = connection.status();
      return state.state() != JvmState.LEASED || !Objects.equals(state.run(), lease.run());
    } catch (ConnectException | NoSuchFileException e) {
      LOG.debug("{} has ended with its lease", lease, e);
      return true;
    } catch (IOException e) {
      LOG.debug("{} gives no answer yet", lease, e);
      return false;
    }
  }

  private static Duration left(long deadline) {
    return Duration.ofNanos(deadline - System.nanoTime());
  }

  private static Duration timeout(long deadline) {
    Duration left = left(deadline);
    return left.compareTo(PoolScanner.TIMEOUT) < 0 ? left : PoolScanner.TIMEOUT;
  }
}
