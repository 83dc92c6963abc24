// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import io.hottub.protocol.JvmState;
import io.hottub.protocol.PoolDirectory;
import io.hottub.yarn.log.Trouble;
import io.hottub.yarn.pool.PoolScanner;
import io.hottub.yarn.pool.PooledJvm;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
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
  private final Trouble blind =
      new Trouble(
          LOG,
          "Cannot see which JVMs are leased; containers may be charged too little",
          "It can be seen again which JVMs are leased");

  private List<PooledJvm> leased = List.of();
  private final LongSupplier nanoTime;
  private long lookedAt;
  private boolean looked;

  public LeasedJvms(PoolDirectory pool) {
    this(pool, System::nanoTime);
  }

  /** For tests: with a clock of their own. */
  LeasedJvms(PoolDirectory pool, LongSupplier nanoTime) {
    this.scanner = new PoolScanner(pool);
    this.nanoTime = nanoTime;
  }

  /** Those of now, or of a moment ago; those of the last look where the pool cannot be read. */
  public synchronized List<PooledJvm> get() {
    long now = nanoTime.getAsLong();
    if (!looked || now - lookedAt > FRESH.toNanos()) {
      try {
        leased =
            scanner.scanBusy().jvms().stream()
                .filter(jvm -> jvm.state().state() == JvmState.LEASED)
                .toList();
        blind.isOver();
      } catch (IOException e) {
        blind.is(e);
      }
      looked = true;
      lookedAt = nanoTime.getAsLong();
    }
    return leased;
  }
}
