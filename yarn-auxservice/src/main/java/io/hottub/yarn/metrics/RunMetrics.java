// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.metrics;

import com.codahale.metrics.Counter;
import com.codahale.metrics.MetricRegistry;
import io.hottub.protocol.JournalEntry;
import io.hottub.protocol.Reasons;
import io.hottub.protocol.Reasons.Kind;
import io.hottub.yarn.pool.PoolObserver;
import io.hottub.yarn.pool.Remembered;
import io.hottub.yarn.recipes.RecipeRun;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Counts what the journal tells of runs: how they were served, and what they cost. */
public final class RunMetrics implements PoolObserver {
  private static final Pattern KEYWORD = Pattern.compile("[a-z][a-z0-9_-]{0,39}");
  private static final int MAX_REMEMBERED = 1_000;

  /** As the JVM tells them (docs/jvm.md). */
  private static final Set<String> PHASES = Set.of("restore_us", "collect_us", "audit_us");

  private final MetricRegistry registry;
  private final Counter first;
  private final Counter warm;
  private final Counter cold;
  private final Counter saved;

  /** CPU time of the first run of a program in a JVM, the oldest forgotten first. */
  private final Map<String, Long> firstCpuUs = Remembered.atMost(MAX_REMEMBERED);

  public RunMetrics(MetricRegistry registry) {
    this.registry = registry;
    first = registry.counter("runs.first");
    warm = registry.counter("runs.warm");
    cold = registry.counter("runs.cold");
    saved = registry.counter("runs.cpu_saved_ms");
    registry.gauge("runs.hit_ratio", () -> this::hitRatio);
  }

  /** Share of runs that found a warm JVM; 0 before the first run. */
  private Double hitRatio() {
    long all = first.getCount() + warm.getCount() + cold.getCount();
    return all == 0 ? 0.0 : (double) warm.getCount() / all;
  }

  @Override
  public void run(JournalEntry entry) {
    String container = entry.text("container_id");
    if (container != null && container.startsWith(RecipeRun.ID_PREFIX)) {
      return; // nobody waits for it
    }
    if (!Objects.equals(entry.text("served"), "pool")) {
      cold.inc();
      registry.counter("runs.miss." + keyword(Kind.COLD, entry.text("reason"))).inc();
      return;
    }
    (entry.isWarm() ? warm : first).inc();
    histogram(entry.isWarm() ? "runs.lease_us" : "runs.first_lease_us", entry.number("lease_us"));
  }

  @Override
  public void reset(JournalEntry entry) {
    histogram("runs.reset_us", entry.number("reset_us"));
    entry.numbers("phases").entrySet().stream()
        .filter(phase -> PHASES.contains(phase.getKey()))
        .forEach(phase -> histogram("runs.reset_phase." + phase.getKey(), phase.getValue()));
    if (entry.number("revoked_signal") != null) {
      registry.counter("runs.revoked").inc();
    }
    Long cpuUs = entry.number("cpu_us");
    if (cpuUs != null) {
      histogram("runs.cpu_us", cpuUs);
      countSaved(entry, cpuUs, Objects.equals(entry.number("run"), 1L));
    }
  }

  /** Clones have no reset: what they have used is known when they have ended. */
  @Override
  public void ended(JournalEntry entry) {
    Long cpuUs = entry.number("cpu_us");
    if (cpuUs != null && Objects.equals(entry.number("run"), 1L)) {
      histogram("runs.cpu_us", cpuUs);
      countSaved(entry, cpuUs, false);
    }
  }

  /**
   * What a run cost less than the first run of the same program in a JVM of the same fingerprint,
   * for which nothing was warm. An estimate: the two may have had different work.
   */
  private void countSaved(JournalEntry entry, long cpuUs, boolean first) {
    String program = entry.text("fingerprint") + " " + entry.text("main_class");
    if (first) {
      firstCpuUs.put(program, cpuUs);
    } else {
      long before = firstCpuUs.getOrDefault(program, cpuUs);
      saved.inc(Math.max(0, before - cpuUs) / 1000);
    }
  }

  private void histogram(String name, Long value) {
    if (value != null) {
      registry.histogram(name).update(value);
    }
  }

  /** The leading keyword of a reason that there is: anything can be in the journal. */
  static String keyword(Kind kind, String reason) {
    if (reason == null) {
      return "unknown";
    }
    Matcher keyword = KEYWORD.matcher(reason);
    boolean isKnown = keyword.lookingAt() && Reasons.of(kind, keyword.group()).isPresent();
    return isKnown ? keyword.group() : "other";
  }
}
