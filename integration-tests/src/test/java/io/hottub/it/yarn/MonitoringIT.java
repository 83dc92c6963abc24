// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hottub.it.harness.Await;
import io.hottub.it.harness.Chromium;
import io.hottub.it.harness.DashboardPage;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Ports;
import io.hottub.it.harness.Prometheus;
import io.hottub.it.harness.Tarball;
import io.hottub.it.harness.WaitingRuns;
import io.hottub.it.harness.YarnNode;
import io.hottub.protocol.KeeperState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Dashboards and alert rules with a real Prometheus, and the page of the NodeManager. */
@NeedsHome
@SuppressWarnings("try") // close waits for processes; an interrupt fails the test
class MonitoringIT {
  private static final Path CONF = Tarball.DEPLOY.resolve("dist/conf");
  private static final int SHOWN_SECONDS = 12;
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
          int warm = serveRuns(pool, node);
          assertEveryPanelHasData(prometheus, target);
          assertThePageShowsThePool(pool, node, warm);
          assertRulesWorkAndAreSilent(prometheus);
        }
      } finally {
        pool.retireAll();
        node.close();
      }
    }
  }

  /**
   * The first of a JVM, warm ones until two clones have served, and a cold one.
   *
   * @return how many were warm
   */
  private static int serveRuns(Pool pool, YarnNode node) throws Exception {
    WaitingRuns runs = new WaitingRuns(pool, node.client());
    int served = 0;
    for (int clones = 0; clones < 2 && served < 12; served++) {
      assertEquals(WaitingRuns.UNDISTURBED, runs.undisturbed(true), pool.logs());
      pool.awaitIdle();
      clones += pool.cloneServedLast() ? 1 : 0;
    }
    pool.run("-version");
    node.awaitMetric("runs.warm", "\"Count\" : " + (served - 1));
    node.awaitCounted("runs.cold");
    return served - 1;
  }

  /** What {@link #serveRuns} has left, on the page of the NodeManager's own web server. */
  private static void assertThePageShowsThePool(Pool pool, YarnNode node, int warm)
      throws Exception {
    KeeperState template = pool.state();
    String states = "<b>0 / 1 / 1</b>JVMs leased, idle, templates";
    String page = node.awaitPage("/node/hottub", states);
    String row = "<td class=\"n\">%d</td><td>TEMPLATE</td>".formatted(template.jvmPid());
    assertTrue(page.contains(row), page);
    String fingerprint = template.fingerprint().substring(0, 12);
    assertTrue(page.contains("<td>" + fingerprint + "</td>"), page);
    assertTrue(page.contains(">JVM " + template.jvmPid() + "</text>"), page);
    assertTrue(page.contains(">clone " + fingerprint + " 1</text>"), page);
    assertFalse(page.contains(">clone " + fingerprint + " 2</text>"), page);
    assertTrue(page.contains("<title>WaitsForFile: first, lease 1, "), page);
    assertTrue(
        page.matches(
            "(?s).*<title>WaitsForFile: warm, clone \\d+, [0-9.]+ s, container_\\S+</title>.*"),
        page);
    assertTrue(page.contains("<td>prints</td><td class=\"n\">1</td>"), page);
    assertTrue(page.contains("<b>" + warm + " / 1 / 1</b>warm, first of a JVM, cold"), page);
    long percent = Math.round(100.0 * warm / (warm + 2));
    assertTrue(page.contains("<b>" + percent + " %</b>of runs were warm"), page);
    Chromium.picture(node.url("/node/hottub"), "node-page", "1100,700");
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
      picture(board, file, prometheus, target);
    }
  }

  private static void picture(String board, Path file, Prometheus prometheus, String target)
      throws Exception {
    long now = System.currentTimeMillis() / 1000;
    var page =
        new DashboardPage(prometheus, query -> asGrafana(query, target), now - SHOWN_SECONDS, now)
            .of(new ObjectMapper().readTree(file.toFile()));
    Path html = Files.writeString(Files.createTempFile(board, ".html"), page.html());
    try {
      Chromium.picture(html.toUri().toString(), board, "1224," + page.height());
    } finally {
      Files.delete(html);
    }
  }

  private static String asGrafana(String query, String target) {
    return query
        .replace("$__rate_interval", "5m") // the runs were that long ago, on a busy machine
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
