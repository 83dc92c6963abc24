// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.metrics;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.hottub.protocol.JournalEntry;
import io.hottub.protocol.JvmState;
import io.hottub.protocol.KeeperState;
import io.hottub.protocol.Reasons.Kind;
import io.hottub.yarn.pool.PoolObserver;
import io.hottub.yarn.pool.PoolView;
import io.hottub.yarn.pool.PooledJvm;
import io.hottub.yarn.pool.RetireReason;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What the pool service measures of JVMs: how many there are, and why they end. */
public final class PoolMetrics implements PoolObserver {
  private static final int MAX_LEFT_CLASSES = 100;

  private final MetricRegistry registry;

  /** JVMs of the last scan; the value is why this service ended it, if it did. */
  private final Map<Long, RetireReason> known = new HashMap<>();

  /** JVMs that were gone at the last scan, and of whose end the journal has not told yet. */
  private final Map<Long, RetireReason> missing = new HashMap<>();

  /** Classes of which runs have left objects; each has a metric. */
  private final Set<String> leftClasses = new HashSet<>();

  private volatile PoolView view = PoolView.EMPTY;

  public PoolMetrics(MetricRegistry registry) {
    this.registry = registry;
    for (JvmState state : JvmState.values()) {
      gauge("pool.jvms." + lower(state), () -> view.count(state));
    }
    gauge("pool.clones.ready", () -> view.readyClones());
    gauge("pool.jvms.unreachable", () -> view.unreachable().size());
    gauge("pool.rss_bytes.idle", () -> view.residentBytes(JvmState.IDLE));
    gauge("pool.rss_bytes.template", () -> view.residentBytes(JvmState.TEMPLATE));
    gauge("pool.rss_bytes.leased", () -> view.residentBytes(JvmState.LEASED));
    Metrics.begin(registry, "pool.failures", "pool.crashes", "pool.retired.doubt");
  }

  private void gauge(String name, Gauge<Number> gauge) {
    registry.gauge(name, () -> gauge);
  }

  private static String lower(JvmState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public synchronized void scanned(PoolView now) {
    // Keepers that were killed do not write.
    missing.values().forEach(reason -> countEnd(reason == null ? "unseen" : reason.label()));
    missing.clear();
    Set<Long> seen = new HashSet<>();
    for (PooledJvm jvm : now.jvms()) {
      KeeperState state = jvm.state();
      seen.add(state.keeperPid());
      known.putIfAbsent(state.keeperPid(), null);
    }
    for (Iterator<Map.Entry<Long, RetireReason>> i = known.entrySet().iterator(); i.hasNext(); ) {
      Map.Entry<Long, RetireReason> jvm = i.next();
      if (!seen.contains(jvm.getKey())) {
        missing.put(jvm.getKey(), jvm.getValue());
        i.remove();
      }
    }
    view = now;
  }

  @Override
  public synchronized void ended(JournalEntry entry) {
    Long pid = entry.number("keeper_pid");
    RetireReason ours = known.containsKey(pid) ? known.remove(pid) : missing.remove(pid);
    String reason = RunMetrics.keyword(Kind.RETIRED, entry.text("reason"));
    countEnd(reason.equals("asked") && ours != null ? ours.label() : reason);
    if (entry.event().equals("crash")) {
      registry.counter("pool.crashes").inc();
    }
    if (entry.text("left_class") != null) {
      registry.counter("pool.left." + className(entry.text("left_class"))).inc();
    }
  }

  /** As in class files; names that are no names, or too many, are one. */
  private String className(String name) {
    boolean hasRoom = leftClasses.size() < MAX_LEFT_CLASSES || leftClasses.contains(name);
    if (!hasRoom || !name.matches("[\\w$./]{1,200}")) {
      return "other";
    }
    leftClasses.add(name);
    return name.replace('.', '/');
  }

  private void countEnd(String reason) {
    registry.counter("pool.retired." + reason).inc();
  }

  @Override
  public synchronized void retiring(long keeperPid, RetireReason reason) {
    known.put(keeperPid, reason);
  }

  @Override
  public void failed() {
    registry.counter("pool.failures").inc();
  }
}
