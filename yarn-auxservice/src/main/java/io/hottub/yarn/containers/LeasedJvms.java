// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import io.hottub.protocol.JvmState;
import io.hottub.protocol.PoolDirectory;
import io.hottub.yarn.pool.PoolScanner;
import io.hottub.yarn.pool.PooledJvm;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leased JVMs of a node, for many who ask at once: the process trees of all containers are
 * updated one after the other, and one look at the pool serves them all.
 */
public final class LeasedJvms {
  private static final Logger LOG = LoggerFactory.getLogger(LeasedJvms.class);
  private static final Duration FRESH = Duration.ofMillis(300);

  private final PoolScanner scanner;
  private List<PooledJvm> leased = List.of();
  private long lookedAt;
  private boolean looked;

  public LeasedJvms(PoolDirectory pool) {
    this.scanner = new PoolScanner(pool);
  }

  /** Those of now, or of a moment ago; those of the last look where the pool cannot be read. */
  public synchronized List<PooledJvm> get() {
    long now = System.nanoTime();
    if (!looked || now - lookedAt > FRESH.toNanos()) {
      try {
        leased =
            scanner.scanBusy().jvms().stream()
                .filter(jvm -> jvm.state().state() == JvmState.LEASED)
                .toList();
      } catch (IOException e) {
        LOG.warn("Cannot see which JVMs are leased; containers may be charged too little", e);
      }
      looked = true;
      lookedAt = System.nanoTime();
    }
    return leased;
  }
}
