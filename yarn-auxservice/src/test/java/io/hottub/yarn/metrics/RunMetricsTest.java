// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.codahale.metrics.MetricRegistry;
import io.hottub.protocol.JournalEntry;
import org.junit.jupiter.api.Test;

class RunMetricsTest {
  private final MetricRegistry registry = new MetricRegistry();
  private final RunMetrics metrics = new RunMetrics(registry);

  private void run(String served) throws Exception {
    metrics.run(JournalEntry.parse("{\"event\":\"run\"," + served + "}"));
  }

  private void reset(int run, long cpuUs, String main) throws Exception {
    metrics.reset(
        JournalEntry.parse(
            """
            {"event":"reset","fingerprint":"f","main_class":"%s","run":%d,"cpu_us":%d,"reset_us":20,
            "phases":{"collect_us":7,"heap_used":100}}"""
                .formatted(main, run, cpuUs)));
  }

  private void endOfClone(long cpuUs, String main) throws Exception {
    metrics.ended(
        JournalEntry.parse(
            """
            {"event":"retired","fingerprint":"f","main_class":"%s","run":1,"reason":"served",
            "cpu_us":%d}"""
                .formatted(main, cpuUs)));
  }

  private long counter(String name) {
    return registry.counter(name).getCount();
  }

  private Object hitRatio() {
    return registry.getGauges().get("runs.hit_ratio").getValue();
  }

  @Test
  void hitsAndMissesByReason() throws Exception {
    assertEquals(0.0, hitRatio());
    run("\"served\":\"pool\",\"run\":1,\"lease_us\":500000");
    run("\"served\":\"pool\",\"run\":2,\"lease_us\":900");
    run("\"served\":\"pool\",\"run\":3,\"lease_us\":1100");
    run("\"served\":\"cold\",\"reason\":\"pool-full\"");
    run("\"served\":\"pool\",\"run\":1,\"lease_us\":1,\"container_id\":\"recipe_list\"");
    assertEquals(1, counter("runs.first"));
    assertEquals(2, counter("runs.warm"));
    assertEquals(1, counter("runs.cold"));
    assertEquals(1, counter("runs.miss.pool-full"));
    assertEquals(0.5, hitRatio());
    assertEquals(1100, registry.histogram("runs.lease_us").getSnapshot().getMax());
    assertEquals(500_000, registry.histogram("runs.first_lease_us").getSnapshot().getMax());
  }

  @Test
  void theFirstRunOfACloneIsWarm() throws Exception {
    run("\"served\":\"pool\",\"isolation\":\"clone\",\"warm\":true,\"run\":1,\"lease_us\":900");
    assertEquals(1, counter("runs.warm"));
    assertEquals(0, counter("runs.first"));
    assertEquals(900, registry.histogram("runs.lease_us").getSnapshot().getMax());
  }

  @Test
  void resetsByPhase() throws Exception {
    reset(1, 5, "A");
    assertEquals(20, registry.histogram("runs.reset_us").getSnapshot().getMax());
    assertEquals(7, registry.histogram("runs.reset_phase.collect_us").getSnapshot().getMax());
    assertEquals(
        1, registry.getHistograms((name, m) -> name.startsWith("runs.reset_phase")).size());
  }

  @Test
  void whatTheJournalInventsIsOneMetric() throws Exception {
    run("\"served\":\"cold\",\"reason\":\"invented-a\"");
    run("\"served\":\"cold\",\"reason\":\"invented-b\"");
    run("\"served\":\"cold\",\"reason\":\"log\"");
    assertEquals(2, counter("runs.miss.other"));
    assertEquals(1, counter("runs.miss.log"));
    int before = registry.getNames().size();
    metrics.reset(JournalEntry.parse("{\"event\":\"reset\",\"phases\":{\"invented_us\":7}}"));
    assertEquals(before, registry.getNames().size(), registry.getNames().toString());
  }

  @Test
  void runsInClonesSaveToo() throws Exception {
    reset(1, 5_000_000, "A");
    endOfClone(1_000_000, "A");
    endOfClone(2_000_000, "A");
    assertEquals(7_000, counter("runs.cpu_saved_ms"));
    assertEquals(3, registry.histogram("runs.cpu_us").getCount());
  }

  @Test
  void whatWarmRunsSave() throws Exception {
    reset(1, 5_000_000, "A");
    reset(2, 1_000_000, "A");
    reset(3, 6_000_000, "A");
    reset(4, 1_000_000, "B");
    assertEquals(4_000, counter("runs.cpu_saved_ms"));
  }
}
