// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.MetricRegistry;
import io.hottub.protocol.JournalEntry;
import io.hottub.protocol.JvmState;
import io.hottub.yarn.pool.MockPool;
import org.junit.jupiter.api.Test;

class NodePageTest {
  private final MetricRegistry registry = new MetricRegistry();
  private final NodePage page = new NodePage(registry);

  private static JournalEntry run(long atMs, String members) throws Exception {
    return JournalEntry.parse(
        "{\"event\":\"run\",\"at_ms\":%d,\"main_class\":\"p.Main\",%s}".formatted(atMs, members));
  }

  private static JournalEntry pooled(long atMs, long jvm, int run) throws Exception {
    return run(
        atMs,
        "\"served\":\"pool\",\"jvm_pid\":%d,\"fingerprint\":\"f\",\"run\":%d,\"container_id\":\"c_1\""
            .formatted(jvm, run));
  }

  private static JournalEntry reset(long atMs, int run) throws Exception {
    return JournalEntry.parse(
        """
        {"event":"reset","at_ms":%d,"keeper_pid":9,"fingerprint":"f","main_class":"p.Main","run":%d,
        "container_id":"c_1","reset_us":100000}"""
            .formatted(atMs, run));
  }

  @Test
  void leasesAreBarsAsLongAsTheyLasted() throws Exception {
    long now = System.currentTimeMillis();
    page.run(pooled(now - 60_000, 7, 1));
    page.reset(reset(now - 50_000, 1));
    page.run(pooled(now - 40_000, 7, 2));
    page.reset(reset(now - 37_400, 2));
    page.run(run(now - 30_000, "\"served\":\"cold\",\"reason\":\"pool-full\""));
    String html = page.html();
    assertTrue(html.contains(">JVM 7</text>"), html);
    assertTrue(html.contains("<title>Main: first, lease 1, 9.9 s, c_1</title>"), html);
    assertTrue(html.contains("<title>Main: warm, lease 2, 2.5 s, c_1</title>"), html);
    assertTrue(html.contains("<title>Main: cold: pool-full</title>"), html);
  }

  @Test
  void clonesShareALineUnlessTheyRunAtOnce() throws Exception {
    long now = System.currentTimeMillis();
    for (int i = 0; i < 3; i++) {
      long begin = now - 60_000 + i * 10_000L;
      page.run(
          run(
              begin,
              """
              "served":"pool","jvm_pid":%d,"fingerprint":"f","run":1,"container_id":"c_%d",\
              "isolation":"clone","warm":true"""
                  .formatted(100 + i, i)));
      if (i != 1) {
        page.ended(
            JournalEntry.parse(
                """
                {"event":"retired","at_ms":%d,"fingerprint":"f","main_class":"p.Main","run":1,
                "container_id":"c_%d"}"""
                    .formatted(begin + 5_000, i)));
      }
    }
    String html = page.html();
    assertTrue(html.contains(">clone f 1</text>"), html);
    assertTrue(html.contains(">clone f 2</text>"), html);
    assertFalse(html.contains(">clone f 3</text>"), html);
    assertTrue(html.contains("<title>Main: warm, clone 100, 5.0 s, c_0</title>"), html);
    assertTrue(html.indexOf("clone 101,") < html.indexOf(">clone f 2<"), html);
  }

  @Test
  void aLeaseWhoseKeeperWasKilledEnds() throws Exception {
    long now = System.currentTimeMillis();
    page.run(pooled(now - 60_000, 7, 1));
    try (MockPool pool = new MockPool()) {
      page.scanned(pool.view());
    }
    String html = page.html();
    assertTrue(html.matches("(?s).*lease 1, 6[0-9][.][0-9] s, c_1.*"), html);
    page.run(pooled(now - 500, 7, 2));
    assertTrue(page.html().contains("lease 2, "), html);
  }

  @Test
  void jvmsAndReasonsAreInTables() throws Exception {
    registry.counter("runs.warm").inc(3);
    registry.counter("runs.cold").inc();
    registry.counter("runs.cpu_saved_ms").inc(12_340);
    registry.counter("runs.miss.pool-full").inc();
    try (MockPool pool = new MockPool()) {
      pool.add(
          5,
          "f",
          JvmState.LEASED,
          "jvm_pid",
          77,
          "fingerprint",
          "0123456789abcdef",
          "run",
          4,
          "main_class",
          "p.<b>&'",
          "container_id",
          "c_2");
      page.scanned(pool.view());
    }
    String html = page.html();
    assertTrue(html.contains("<b>75 %</b>of runs were warm"), html);
    assertTrue(html.contains("<b>12.3 s</b>of CPU saved"), html);
    assertTrue(html.contains("<b>1 / 0 / 0</b>JVMs leased, idle, templates"), html);
    assertTrue(html.contains("<td>0123456789ab</td>"), html);
    assertTrue(html.contains("<td>c_2</td><td>&lt;b&gt;&amp;&#39;</td>"), html);
    assertTrue(html.contains("<td>pool-full</td><td class=\"n\">1</td><td>"), html);
    assertFalse(html.contains("<b>&"), html);
  }

  @Test
  void nothingIsFetchedFromElsewhere() {
    String html = page.html();
    assertFalse(html.matches("(?s).*(src=|href=|url\\(|@import|<script).*"), html);
  }

  @Test
  void onlyThePublishedPageIsShown() {
    page.publish();
    assertEquals(page, NodePage.published().orElseThrow());
    new NodePage(registry).withdraw();
    assertEquals(page, NodePage.published().orElseThrow());
    page.withdraw();
    assertTrue(NodePage.published().isEmpty());
  }
}
