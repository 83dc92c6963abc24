// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.hottub.protocol.JvmState;
import io.hottub.protocol.KeeperState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the pool service measures. All of it comes from scans: of a JVM that lives and dies between
 * two scans nothing is known, of several leases between two scans only the last one's times.
 */
final class PoolMetrics {
  private static final Pattern KEYWORD = Pattern.compile("[a-z][a-z0-9-]{0,39}");

  private final MetricRegistry registry;
  private final Map<Long, Known> known = new HashMap<>();
  private volatile PoolView view = PoolView.EMPTY;

  /** True until the first scan, which only shows what a former service has counted already. */
  private boolean adopting = true;

  /** What the last scan knew of one JVM. */
  private static final class Known {
    long run;

    /** Why it is about to end; null while nobody has said. */
    String retireReason;
  }

  PoolMetrics(MetricRegistry registry) {
    this.registry = registry;
    for (JvmState state : JvmState.values()) {
      gauge("pool.jvms." + lower(state), () -> view.count(state));
    }
    gauge("pool.jvms.unreachable", () -> view.unreachable());
    gauge("pool.rss_bytes.idle", () -> view.residentBytes(JvmState.IDLE));
    gauge("pool.rss_bytes.leased", () -> view.residentBytes(JvmState.LEASED));
    registry.counter("pool.leases.first");
    registry.counter("pool.leases.warm");
    registry.counter("pool.failures");
  }

  private void gauge(String name, Gauge<Number> gauge) {
    registry.gauge(name, () -> gauge);
  }

  private static String lower(JvmState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  /** Takes over what a scan found. */
  synchronized void update(PoolView scanned) {
    Set<Long> seen = new HashSet<>();
    for (PooledJvm jvm : scanned.jvms()) {
      KeeperState state = jvm.state();
      seen.add(state.keeperPid());
      Known before = known.computeIfAbsent(state.keeperPid(), pid -> new Known());
      countLeases(before, state);
      if (before.retireReason == null && state.retireReason() != null) {
        before.retireReason = label(state.retireReason());
      }
    }
    known
        .entrySet()
        .removeIf(entry -> !seen.contains(entry.getKey()) && countEnd(entry.getValue()));
    adopting = false;
    view = scanned;
  }

  /** The leading keyword of a keeper's reason: names of metrics must be few and plain. */
  private static String label(String reason) {
    Matcher keyword = KEYWORD.matcher(reason);
    return keyword.lookingAt() ? keyword.group() : "other";
  }

  private void countLeases(Known before, KeeperState state) {
    long run = state.run() == null ? 0 : state.run();
    if (run > before.run && !adopting) {
      // The first run of a JVM started it: the pool had none that fitted.
      long first = before.run == 0 ? 1 : 0;
      registry.counter("pool.leases.first").inc(first);
      registry.counter("pool.leases.warm").inc(run - before.run - first);
      histogram("pool.lease_us", state.leaseUsLast());
      histogram("pool.reset_us", state.resetUsLast());
    }
    before.run = run;
  }

  private void histogram(String name, Long value) {
    if (value != null) {
      registry.histogram(name).update(value);
    }
  }

  private boolean countEnd(Known jvm) {
    registry
        .counter("pool.retired." + Objects.requireNonNullElse(jvm.retireReason, "unseen"))
        .inc();
    return true;
  }

  /** Remembers why a JVM that is about to end was retired. */
  synchronized void retiring(long keeperPid, RetireReason reason) {
    Known jvm = known.get(keeperPid);
    if (jvm != null) {
      jvm.retireReason = reason.label();
    }
  }

  /** Counts something that should not have gone wrong and was survived. */
  void failed() {
    registry.counter("pool.failures").inc();
  }
}
