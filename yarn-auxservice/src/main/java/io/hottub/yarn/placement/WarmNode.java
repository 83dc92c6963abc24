// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.placement;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.api.records.NodeId;

/**
 * A node on which JVMs are idle, or can be made of a template, that serve a certain task: as many
 * as its record tells, less the containers that were placed there since.
 */
final class WarmNode {
  private final NodeId id;
  private final int idle;
  private final long forgetNanos;
  private final LongSupplier nanoTime;
  private int taken;
  private long takenLast;

  /**
   * @param idle at the time of the record
   * @param forget after which the record would tell of a container, had it one of these JVMs
   * @param nanoTime as {@link System#nanoTime}
   */
  WarmNode(NodeId id, int idle, Duration forget, LongSupplier nanoTime) {
    this.id = id;
    this.idle = idle;
    this.forgetNanos = forget.toNanos();
    this.nanoTime = nanoTime;
  }

  NodeId id() {
    return id;
  }

  synchronized int idle() {
    if (taken > 0 && nanoTime.getAsLong() - takenLast > forgetNanos) {
      taken = 0;
    }
    return Math.max(0, idle - taken);
  }

  /** A container is placed here; returns false if no JVM is left for it. */
  synchronized boolean take() {
    boolean warm = idle() > 0;
    taken++;
    takenLast = nanoTime.getAsLong();
    return warm;
  }
}
