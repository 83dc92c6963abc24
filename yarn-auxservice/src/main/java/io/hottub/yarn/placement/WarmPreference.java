// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.placement;

import com.codahale.metrics.Counter;
import com.codahale.metrics.MetricRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.apache.hadoop.yarn.api.records.NodeId;

/**
 * Whether the containers that an application has asked for are worth a wait for nodes with warm
 * JVMs. They wait only for nodes that have room for all of them, and never longer than until those
 * have had their turn, counted from when the first of them was asked for.
 */
public final class WarmPreference {
  private final long longestNanos;
  private final LongSupplier nanoTime;
  private final Counter waits;
  private final Counter givenUp;
  private volatile long since;
  private volatile boolean waited;
  private volatile boolean over;

  /**
   * @param longest wait for one ask
   * @param nanoTime as {@link System#nanoTime}
   */
  WarmPreference(Duration longest, LongSupplier nanoTime, MetricRegistry registry) {
    this.longestNanos = longest.toNanos();
    this.nanoTime = nanoTime;
    waits = registry.counter("locality.waits");
    givenUp = registry.counter("locality.given_up");
    begin();
  }

  /** The application asks, having had all that it asked for before. */
  public void begin() {
    since = nanoTime.getAsLong();
    waited = false;
    over = false;
  }

  /**
   * Whether no container is to be placed on a node.
   *
   * @param warm nodes with warm JVMs
   * @param offered the node that could have one
   * @param containers so many are still to come
   * @param room for how many of them a node has room
   */
  public boolean declines(
      Map<NodeId, WarmNode> warm, NodeId offered, int containers, ToIntFunction<NodeId> room) {
    if (over || warm.isEmpty()) {
      return false;
    }
    WarmNode here = warm.get(offered);
    if ((here != null && here.idle() > 0) || isLate()) {
      return false;
    }
    int places = 0;
    for (WarmNode node : warm.values()) {
      int idle = node.idle();
      places += idle == 0 ? 0 : Math.min(idle, room.applyAsInt(node.id()));
      if (places >= containers) {
        noteWait();
        return true;
      }
    }
    return false;
  }

  /** Before the nodes are looked at: that is not for every turn of every node for long. */
  private boolean isLate() {
    if (nanoTime.getAsLong() - since <= longestNanos) {
      return false;
    }
    over = true;
    if (waited) {
      givenUp.inc();
    }
    return true;
  }

  private void noteWait() {
    if (!waited) {
      waited = true;
      waits.inc();
    }
  }
}
