// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.codahale.metrics.MetricRegistry;
import io.hottub.protocol.JvmState;
import io.hottub.protocol.MockKeeper;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PoolMetricsTest {
  private final MetricRegistry registry = new MetricRegistry();
  private final PoolMetrics metrics = new PoolMetrics(registry);
  private final AtomicReference<String> state = new AtomicReference<>();
  private Jvms jvms;

  @BeforeEach
  void createPool() throws IOException {
    jvms = new Jvms();
  }

  @AfterEach
  void removePool() throws IOException {
    jvms.close();
  }

  private void scan(JvmState jvmState, Object... members) throws IOException {
    state.set(MockKeeper.stateJson(1, jvmState, members));
    metrics.update(jvms.view());
  }

  private long counter(String name) {
    return registry.counter(name).getCount();
  }

  private Object gauge(String name) {
    return registry.getGauges().get(name).getValue();
  }

  @Test
  void countsStatesAndMemory() throws Exception {
    jvms.add(1, "a", JvmState.IDLE, "rss_kb", 100);
    jvms.add(2, "a", JvmState.IDLE);
    jvms.add(3, "b", JvmState.LEASED, "rss_kb", 300);
    metrics.update(jvms.view());
    assertEquals(2L, gauge("pool.jvms.idle"));
    assertEquals(1L, gauge("pool.jvms.leased"));
    assertEquals(0L, gauge("pool.jvms.starting"));
    assertEquals(100L * 1024, gauge("pool.rss_bytes.idle"));
    assertEquals(300L * 1024, gauge("pool.rss_bytes.leased"));
  }

  @Test
  void firstLeasesAndWarmLeases() throws Exception {
    metrics.update(PoolView.EMPTY);
    jvms.add(1, "a", state, MockKeeper.done());
    scan(JvmState.STARTING, "run", 0);
    scan(JvmState.LEASED, "run", 1, "lease_us_last", 500_000);
    scan(JvmState.IDLE, "run", 1);
    scan(JvmState.IDLE, "run", 4, "lease_us_last", 900, "reset_us_last", 20);
    assertEquals(1, counter("pool.leases.first"));
    assertEquals(3, counter("pool.leases.warm"));
    assertEquals(900, registry.histogram("pool.lease_us").getSnapshot().getMin());
    assertEquals(20, registry.histogram("pool.reset_us").getSnapshot().getMax());
  }

  @Test
  void whatAnEarlierServiceCountedIsNotCountedAgain() throws Exception {
    jvms.add(1, "a", state, MockKeeper.done());
    scan(JvmState.IDLE, "run", 7);
    scan(JvmState.LEASED, "run", 8);
    assertEquals(0, counter("pool.leases.first"));
    assertEquals(1, counter("pool.leases.warm"));
  }

  @Test
  void endsAreCountedByReason() throws Exception {
    MockKeeper keeper = jvms.add(1, "a", state, MockKeeper.done());
    scan(JvmState.RETIRING, "retire_reason", "audit: thread \\\"x\\\" is left");
    keeper.close();
    metrics.update(jvms.view());

    MockKeeper second = jvms.add(1, "a", state, MockKeeper.done());
    scan(JvmState.IDLE);
    metrics.retiring(1, RetireReason.IDLE_TOO_LONG);
    second.close();
    metrics.update(jvms.view());

    MockKeeper third = jvms.add(1, "a", state, MockKeeper.done());
    scan(JvmState.IDLE);
    third.close();
    metrics.update(jvms.view());

    assertEquals(1, counter("pool.retired.audit"));
    assertEquals(1, counter("pool.retired.idle"));
    assertEquals(1, counter("pool.retired.unseen"));
  }

  @Test
  void aReasonThatIsNoKeywordMakesNoName() throws Exception {
    MockKeeper keeper = jvms.add(1, "a", state, MockKeeper.done());
    scan(JvmState.RETIRING, "retire_reason", "*,type=x");
    keeper.close();
    metrics.update(jvms.view());
    assertEquals(1, counter("pool.retired.other"));
    assertFalse(registry.getNames().stream().anyMatch(name -> name.contains("*")));
  }
}
