// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.cluster;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Allows something at most once within an interval. Not for use by two threads. */
final class RateLimit {
  private final long intervalNanos;
  private final LongSupplier nanoTime;
  private boolean used;
  private long last;

  /**
   * @param nanoTime as {@link System#nanoTime}
   */
  RateLimit(Duration interval, LongSupplier nanoTime) {
    this.intervalNanos = interval.toNanos();
    this.nanoTime = nanoTime;
  }

  /** Whether it may be done now; then it counts as done. */
  boolean take() {
    long now = nanoTime.getAsLong();
    if (used && now - last < intervalNanos) {
      return false;
    }
    used = true;
    last = now;
    return true;
  }
}
