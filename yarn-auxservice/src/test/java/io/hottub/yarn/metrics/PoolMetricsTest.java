// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.codahale.metrics.MetricRegistry;
import io.hottub.protocol.JournalEntry;
import io.hottub.protocol.JvmState;
import io.hottub.yarn.pool.MockPool;
import io.hottub.yarn.pool.PoolView;
import io.hottub.yarn.pool.RetireReason;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PoolMetricsTest {
  private final MetricRegistry registry = new MetricRegistry();
  private final PoolMetrics metrics = new PoolMetrics(registry);
  private MockPool jvms;

  @BeforeEach
  void createPool() throws IOException {
    jvms = new MockPool();
  }

  @AfterEach
  void removePool() throws IOException {
    jvms.close();
  }

  private long counter(String name) {
    return registry.counter(name).getCount();
  }

  @Test
  void whatAlertsWatchBeginsAtZero() {
    assertEquals(
        Set.of("pool.failures", "pool.crashes", "pool.retired.doubt"),
        registry.getCounters().keySet());
  }

  private Object gauge(String name) {
    return registry.getGauges().get(name).getValue();
  }

  @Test
  void countsStatesAndMemory() throws Exception {
    jvms.add(1, "a", JvmState.IDLE, "rss_kb", 100);
    jvms.add(2, "a", JvmState.IDLE);
    jvms.add(3, "b", JvmState.LEASED, "rss_kb", 300);
    metrics.scanned(jvms.view());
    assertEquals(2L, gauge("pool.jvms.idle"));
    assertEquals(1L, gauge("pool.jvms.leased"));
    assertEquals(0L, gauge("pool.jvms.starting"));
    assertEquals(100L * 1024, gauge("pool.rss_bytes.idle"));
    assertEquals(300L * 1024, gauge("pool.rss_bytes.leased"));
  }

  /** The keeper of a clone is a child of that of its template, as this process is of its parent. */
  @Test
  void countsTemplatesAndReadyClones() throws Exception {
    ProcessHandle child = ProcessHandle.current();
    jvms.add(child.parent().orElseThrow().pid(), "a", JvmState.TEMPLATE, "rss_kb", 100);
    jvms.add(child.pid(), "a", JvmState.IDLE);
    jvms.add(1, "a", JvmState.IDLE);
    jvms.add(2, "b", JvmState.IDLE);
    metrics.scanned(jvms.view());
    assertEquals(1L, gauge("pool.jvms.template"));
    assertEquals(1L, gauge("pool.clones.ready"));
    assertEquals(100L * 1024, gauge("pool.rss_bytes.template"));
  }

  @Test
  void aCloneThatIsTakenIsNotReady() throws Exception {
    ProcessHandle child = ProcessHandle.current();
    jvms.add(child.parent().orElseThrow().pid(), "a", JvmState.TEMPLATE);
    jvms.add(child.pid(), "a", JvmState.LEASED);
    metrics.scanned(jvms.view());
    assertEquals(0L, gauge("pool.clones.ready"));
  }

  private static JournalEntry end(String event, long keeperPid, String reason) throws Exception {
    return JournalEntry.parse(
        "{\"event\":\"%s\",\"keeper_pid\":%d,\"reason\":\"%s\"}"
            .formatted(event, keeperPid, reason));
  }

  @Test
  void endsAreCountedOnceByReason() throws Exception {
    for (int pid = 1; pid <= 4; pid++) {
      jvms.add(pid, "a", JvmState.IDLE);
    }
    metrics.scanned(jvms.view());
    metrics.retiring(1, RetireReason.MEMORY_BUDGET);
    metrics.ended(end("retired", 1, "asked"));
    metrics.ended(end("retired", 2, "doubt"));
    metrics.scanned(PoolView.EMPTY);
    // Its line comes after the scan that did not find it any more.
    metrics.ended(end("crash", 3, "died"));
    metrics.ended(end("retired", 9, "*,type=x"));
    metrics.ended(end("retired", 9, "invented"));
    metrics.scanned(PoolView.EMPTY);
    metrics.scanned(PoolView.EMPTY);

    assertEquals(1, counter("pool.retired.idle-memory"));
    assertEquals(1, counter("pool.retired.doubt"));
    assertEquals(1, counter("pool.retired.died"));
    assertEquals(1, counter("pool.crashes"));
    assertEquals(2, counter("pool.retired.other"));
    assertEquals(1, counter("pool.retired.unseen"), "the fourth left no word");
    assertFalse(registry.getNames().stream().anyMatch(name -> name.contains("*")));
  }

  private static JournalEntry left(String className) throws Exception {
    return JournalEntry.parse(
        "{\"event\":\"retired\",\"reason\":\"doubt\",\"left_class\":\"%s\"}".formatted(className));
  }

  @Test
  void failedAuditsAreCountedByClass() throws Exception {
    metrics.ended(left("org.example.Cache$Entry"));
    metrics.ended(left("org.example.Cache$Entry"));
    metrics.ended(left("*,type=x"));
    for (int i = 0; i < 200; i++) {
      metrics.ended(left("c.N" + i));
    }
    metrics.ended(left("org.example.Cache$Entry"));
    assertEquals(3, counter("pool.left.org/example/Cache$Entry"));
    assertEquals(1, counter("pool.left.c/N0"));
    assertEquals(1 + 101, counter("pool.left.other"), "names of metrics are bounded");
    assertEquals(204, counter("pool.retired.doubt"));
    assertFalse(registry.getNames().stream().anyMatch(name -> name.contains("*")));
  }
}
