// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A Prometheus server of its own on loopback, of the distribution's package. */
@SuppressWarnings("try") // close waits for the process; an interrupt fails the test
public final class Prometheus implements AutoCloseable {
  private static final List<String> PROGRAMS = List.of("/usr/bin/prometheus", "/usr/bin/promtool");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process process;
  private final String address;

  /**
   * Starts it, and waits until it is ready.
   *
   * @param dir its own
   * @param target host:port of the NodeManager's metrics, which it scrapes every second
   * @param rules alerts that it evaluates as often
   */
  public Prometheus(Path dir, String target, Path rules) throws IOException, InterruptedException {
    address = "127.0.0.1:" + Ports.free(1).get(0);
    Path config = Files.createDirectories(dir).resolve("prometheus.yml");
    Files.writeString(
        config,
        """
        global: {scrape_interval: 1s, evaluation_interval: 1s}
        rule_files: ['%s']
        scrape_configs:
          - job_name: hottub
            static_configs: [{targets: ['%s']}]
        """
            .formatted(rules, target));
    Path log = dir.resolve("prometheus.log");
    process =
        Servers.start(
            new ProcessBuilder(
                    PROGRAMS.get(0),
                    "--config.file=" + config,
                    "--storage.tsdb.path=" + dir.resolve("data"),
                    "--web.listen-address=" + address)
                .directory(dir.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile()));
    try {
      Await.until("Prometheus is ready (" + log + ")", () -> get("/-/ready").contains("Ready"));
    } catch (AssertionError | InterruptedException e) {
      close();
      throw e;
    }
  }

  /** Installs it where it is missing; where that cannot be, the test is skipped. */
  public static void assumeInstalled() throws IOException {
    if (!isInstalled()) {
      String said = Packages.install("packages.txt");
      assumeTrue(isInstalled(), said);
    }
  }

  private static boolean isInstalled() {
    return PROGRAMS.stream().allMatch(program -> Files.isExecutable(Path.of(program)));
  }

  /** Runs promtool, which has to find nothing wrong. */
  public static void promtool(String... arguments) throws IOException, InterruptedException {
    Process promtool = start(Pool.command(Path.of(PROGRAMS.get(1)), List.of(arguments)));
    String said = output(promtool);
    assertEquals(0, promtool.waitFor(), said);
  }

  private static Process start(List<String> command) throws IOException {
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private static String output(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), UTF_8);
  }

  /** The values of a query now; not those that are no number. */
  public List<Double> query(String query) throws IOException {
    JsonNode result = api("query?query=" + URLEncoder.encode(query, UTF_8)).path("result");
    return result.findValues("value").stream()
        .map(value -> Double.valueOf(value.get(1).asText()))
        .filter(Double::isFinite)
        .toList();
  }

  /**
   * One line of a graph.
   *
   * @param labels what tells it from the others of its query
   * @param points seconds since 1970, and value
   */
  public record Series(Map<String, String> labels, List<double[]> points) {}

  /** The lines of a query between two moments, in seconds since 1970, with a point a second. */
  public List<Series> range(String query, long from, long to) throws IOException {
    String request =
        "query_range?step=1&start=%d&end=%d&query=%s"
            .formatted(from, to, URLEncoder.encode(query, UTF_8));
    List<Series> all = new ArrayList<>();
    for (JsonNode line : api(request).path("result")) {
      Map<String, String> labels = new TreeMap<>();
      line.path("metric")
          .fields()
          .forEachRemaining(e -> labels.put(e.getKey(), e.getValue().asText()));
      List<double[]> points = new ArrayList<>();
      for (JsonNode point : line.path("values")) {
        double value = Double.parseDouble(point.get(1).asText());
        if (Double.isFinite(value)) {
          points.add(new double[] {point.get(0).asDouble(), value});
        }
      }
      all.add(new Series(labels, points));
    }
    return all;
  }

  /** The alerts and what came of their last evaluation. */
  public List<JsonNode> rules() throws IOException {
    List<JsonNode> rules = new ArrayList<>();
    api("rules").at("/groups/0/rules").forEach(rules::add);
    return rules;
  }

  private JsonNode api(String request) throws IOException {
    return JSON.readTree(get("/api/v1/" + request)).path("data");
  }

  private String get(String path) throws IOException {
    return Servers.read("http://" + address + path);
  }

  @Override
  public void close() throws InterruptedException {
    Servers.stop(process);
  }
}
