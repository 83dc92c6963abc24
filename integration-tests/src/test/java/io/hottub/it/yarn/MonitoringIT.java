// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hottub.it.harness.Await;
import io.hottub.it.harness.Chromium;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Ports;
import io.hottub.it.harness.Prometheus;
import io.hottub.it.harness.Tarball;
import io.hottub.it.harness.WaitingRuns;
import io.hottub.it.harness.YarnNode;
import io.hottub.protocol.KeeperState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Dashboards and alert rules with a real Prometheus, and the page of the NodeManager. */
@NeedsHome
@SuppressWarnings("try") // close waits for processes; an interrupt fails the test
class MonitoringIT {
  private static final Path CONF = Tarball.DEPLOY.resolve("dist/conf");
  private static final Path RULES = CONF.resolve("prometheus/hottub-rules.yml");

  @Test
  void rulesFireWhenTheyShould() throws Exception {
    Prometheus.assumeInstalled();
    Prometheus.promtool("check", "rules", RULES.toString());
    Path tests = Tarball.DEPLOY.resolve("src/test/prometheus/hottub-rules-test.yml");
    Prometheus.promtool("test", "rules", tests.toString());
  }

  @Test
  void everyPanelOfANodeHasData() throws Exception {
    Prometheus.assumeInstalled();
    String target = "127.0.0.1:" + Ports.free(1).get(0);
    try (Pool pool = new Pool()) {
      YarnNode node = new YarnNode(pool.root(), Home.path());
      node.set("yarn.nodemanager.aux-services.hottub.prometheus-address", target);
      try {
        node.startResourceManager();
        node.startNodeManager();
        try (Prometheus prometheus = new Prometheus(node.dir().resolve("pm"), target, RULES)) {
          Await.until("the node is scraped", () -> prometheus.query("up == 1").size() == 1);
          serveRuns(pool, node);
          assertEveryPanelHasData(prometheus, target);
          assertThePageShowsThePool(pool, node);
          assertRulesWorkAndAreSilent(prometheus);
        }
      } finally {
        pool.retireAll();
        node.close();
      }
    }
  }

  /** Warm ones, the one before them, and a cold one. */
  private static void serveRuns(Pool pool, YarnNode node) throws Exception {
    WaitingRuns runs = new WaitingRuns(pool, node.client());
    for (int i = 0; i < 3; i++) {
      assertEquals(WaitingRuns.UNDISTURBED, runs.undisturbed(true), pool.logs());
      pool.awaitIdle();
    }
    pool.run("-version");
    node.awaitCounted("runs.warm");
    node.awaitCounted("runs.cold");
  }

  /** What {@link #serveRuns} has left, on the page of the NodeManager's own web server. */
  private static void assertThePageShowsThePool(Pool pool, YarnNode node) throws Exception {
    KeeperState jvm = pool.states().get(0);
    String row = "<td class=\"n\">%d</td><td>IDLE</td>".formatted(jvm.jvmPid());
    Await.until("the page shows the idle JVM", () -> node.page("/node/hottub").contains(row));
    String page = node.page("/node/hottub");
    assertTrue(page.contains("<td>" + jvm.fingerprint().substring(0, 12) + "</td>"), page);
    assertTrue(page.contains(">JVM " + jvm.jvmPid() + "</text>"), page);
    assertTrue(page.contains("<title>WaitsForFile: first, lease 1, "), page);
    assertTrue(page.contains("<title>WaitsForFile: warm, lease 3, "), page);
    assertTrue(
        page.matches("(?s).*<title>WaitsForFile: warm, [^<]*, container_\\S+</title>.*"), page);
    assertTrue(page.contains("<td>prints</td><td class=\"n\">1</td>"), page);
    assertTrue(page.contains("<b>2 / 1 / 1</b>warm, first of a JVM, cold"), page);
    assertTrue(page.contains("<b>50 %</b>of runs were warm"), page);
    Chromium.picture(node.url("/node/hottub"), "node-page", "1100,620");
  }

  private static void assertEveryPanelHasData(Prometheus prometheus, String target)
      throws Exception {
    for (String board : List.of("hottub-node", "hottub-cluster")) {
      Path file = CONF.resolve("grafana/" + board + ".json");
      List<String> queries = new ArrayList<>();
      for (JsonNode panel : new ObjectMapper().readTree(file.toFile()).path("panels")) {
        panel.path("targets").forEach(query -> queries.add(query.path("expr").asText()));
      }
      assertFalse(queries.isEmpty(), board);
      for (String query : queries) {
        Await.until(
            board + " has data for " + query,
            () -> !prometheus.query(asGrafana(query, target)).isEmpty());
      }
    }
  }

  private static String asGrafana(String query, String target) {
    return query
        .replace("$__rate_interval", "1m")
        .replace("$__range", "5m")
        .replace("$node", target)
        .replace("$job", "hottub");
  }

  private static void assertRulesWorkAndAreSilent(Prometheus prometheus) throws Exception {
    Await.until(
        "all rules are evaluated",
        () ->
            prometheus.rules().stream()
                .noneMatch(rule -> rule.path("health").asText().equals("unknown")));
    List<JsonNode> rules = prometheus.rules();
    assertFalse(rules.isEmpty());
    for (JsonNode rule : rules) {
      assertEquals("ok", rule.path("health").asText(), rule.toString());
      assertEquals("inactive", rule.path("state").asText(), rule.toString());
    }
  }
}
