// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import io.hottub.protocol.KeeperConnection;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One look at the pool: measure it, and retire what is over the limits. */
final class PoolWatch implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(PoolWatch.class);

  private final PoolScanner scanner;
  private final PoolPolicy policy;
  private final PoolMetrics metrics;

  PoolWatch(PoolScanner scanner, PoolPolicy policy, PoolMetrics metrics) {
    this.scanner = scanner;
    this.policy = policy;
    this.metrics = metrics;
  }

  /** Never throws: a scheduler drops a task that does. */
  @Override
  public void run() {
    try {
      PoolView view = scanner.scan();
      metrics.update(view);
      policy.toRetire(view).forEach(this::retire);
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot look at the pool; trying again at the next turn", e);
      metrics.failed();
    }
  }

  /** Retires every JVM: the idle ones end now, the leased ones with their lease. */
  void retireAll(RetireReason reason) throws IOException {
    for (PooledJvm jvm : scanner.scan().jvms()) {
      retire(jvm, reason);
    }
  }

  private void retire(PooledJvm jvm, RetireReason reason) {
    long pid = jvm.socket().keeperPid();
    try (KeeperConnection connection = KeeperConnection.open(jvm.socket(), PoolScanner.TIMEOUT)) {
      connection.retire();
      metrics.retiring(pid, reason);
      LOG.info("Retired the pooled JVM {} ({})", jvm.state().jvmPid(), reason.label());
    } catch (IOException e) {
      LOG.warn("Cannot retire the JVM of keeper {} ({})", pid, reason.label(), e);
      metrics.failed();
    }
  }
}
