// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.pool;

import com.codahale.metrics.MetricRegistry;
import io.hottub.protocol.JournalEntry;
import io.hottub.protocol.PoolMarks;
import io.hottub.yarn.config.HotTubConfig;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes a fingerprint whose JVMs crash again and again: its runs are cold for a while. */
public final class CrashBreaker implements PoolObserver {
  private static final Logger LOG = LoggerFactory.getLogger(CrashBreaker.class);

  /**
   * When it opens and for how long.
   *
   * @param crashes so many; 0: never
   * @param within in this time
   * @param cold and then cold for this time
   */
  public record Rule(int crashes, Duration within, Duration cold) {
    public static Rule read(Configuration conf) {
      return new Rule(
          HotTubConfig.CRASHES.read(conf),
          Duration.ofSeconds(HotTubConfig.CRASH_SECONDS.read(conf)),
          Duration.ofSeconds(HotTubConfig.CRASH_COLD_SECONDS.read(conf)));
    }
  }

  private final PoolMarks marks;
  private final Rule rule;
  private final LongSupplier nanoTime;
  private final MetricRegistry registry;
  private final Map<String, Deque<Long>> crashes = new HashMap<>();

  /**
   * @param nanoTime as {@link System#nanoTime}
   */
  public CrashBreaker(PoolMarks marks, Rule rule, LongSupplier nanoTime, MetricRegistry registry) {
    this.marks = marks;
    this.rule = rule;
    this.nanoTime = nanoTime;
    this.registry = registry;
    registry.counter("pool.circuits_opened");
  }

  /** Takes note of a crash. */
  @Override
  public void ended(JournalEntry entry) {
    String fingerprint = entry.text("fingerprint");
    if (entry.event().equals("crash") && fingerprint != null) {
      crashed(fingerprint);
    }
  }

  void crashed(String fingerprint) {
    if (rule.crashes() == 0) {
      return;
    }
    long now = nanoTime.getAsLong();
    forgetBefore(now - rule.within().toNanos());
    Deque<Long> recent = crashes.computeIfAbsent(fingerprint, key -> new ArrayDeque<>());
    recent.add(now);
    if (recent.size() >= rule.crashes()) {
      crashes.remove(fingerprint);
      open(fingerprint);
    }
  }

  private void forgetBefore(long oldest) {
    crashes.values().forEach(times -> times.removeIf(time -> time - oldest < 0));
    crashes.values().removeIf(Deque::isEmpty);
  }

  private void open(String fingerprint) {
    Instant until = Instant.now().plus(rule.cold());
    try {
      marks.closeUntil(fingerprint, until);
      registry.counter("pool.circuits_opened").inc();
      LOG.warn(
          "{} JVMs of fingerprint {} crashed within {}: its runs are cold until {}",
          rule.crashes(),
          fingerprint,
          rule.within(),
          until);
    } catch (IOException e) {
      LOG.error("Cannot close fingerprint {}, whose JVMs crash", fingerprint, e);
      registry.counter("pool.failures").inc();
    }
  }
}
