// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.codahale.metrics.MetricRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

class PrometheusTextTest {
  @Test
  void everyKindOfMetric() {
    MetricRegistry registry = new MetricRegistry();
    registry.gauge("pool.jvms.idle", () -> () -> 2L);
    registry.gauge("pool.jvms.leased", () -> () -> 3L);
    registry.gauge("pool.name", () -> () -> "no number");
    registry.counter("pool.left.org/example/Cache").inc(6);
    registry.counter("runs.cold").inc(5);
    registry.counter("runs.miss.pool-full").inc(4);
    registry.histogram("runs.lease_us").update(7);
    MetricRegistry other = new MetricRegistry();
    other.counter("kill.leases_revoked").inc();
    assertEquals(
        """
        # TYPE hottub_kill_leases_revoked_total counter
        hottub_kill_leases_revoked_total 1
        # TYPE hottub_pool_jvms gauge
        hottub_pool_jvms{state="idle"} 2
        hottub_pool_jvms{state="leased"} 3
        # TYPE hottub_pool_left_total counter
        hottub_pool_left_total{class="org.example.Cache"} 6
        # TYPE hottub_runs_cold_total counter
        hottub_runs_cold_total 5
        # TYPE hottub_runs_lease_us summary
        hottub_runs_lease_us{quantile="0.5"} 7.0
        hottub_runs_lease_us{quantile="0.95"} 7.0
        hottub_runs_lease_us{quantile="0.99"} 7.0
        hottub_runs_lease_us_count 1
        # TYPE hottub_runs_miss_total counter
        hottub_runs_miss_total{reason="pool-full"} 4
        """,
        PrometheusText.of(List.of(registry, other)));
  }
}
