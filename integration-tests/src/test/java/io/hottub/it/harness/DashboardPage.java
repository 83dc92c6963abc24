// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import com.fasterxml.jackson.databind.JsonNode;
import io.hottub.it.harness.Prometheus.Series;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A dashboard as a page: its panels at their places, with what a Prometheus has for their queries.
 * The distribution has no package of Grafana, which shows the same in its own way.
 */
public final class DashboardPage {
  private static final int WIDTH = 1200;
  private static final int COLUMNS = 24;
  private static final int ROW = 30;
  private static final int GAP = 8;
  private static final List<String> COLORS =
      List.of(
          "#2e8b57", "#e0a030", "#4a7fb5", "#b5524a", "#7a5fa8", "#5aa8a0", "#8a8a40", "#a05a80");

  private final Prometheus prometheus;
  private final UnaryOperator<String> variables;
  private final long from;
  private final long to;

  /**
   * @param variables puts values into a query in place of the dashboard's variables
   * @param from the moments that are shown, in seconds since 1970
   */
  public DashboardPage(Prometheus prometheus, UnaryOperator<String> variables, long from, long to) {
    this.prometheus = prometheus;
    this.variables = variables;
    this.from = from;
    this.to = to;
  }

  /** The page, and how high it is in pixels. */
  public record Page(String html, int height) {}

  public Page of(JsonNode dashboard) throws IOException {
    StringBuilder panels = new StringBuilder();
    int rows = 0;
    for (JsonNode panel : dashboard.path("panels")) {
      JsonNode place = panel.path("gridPos");
      int width = place.path("w").asInt() * WIDTH / COLUMNS - GAP;
      int height = place.path("h").asInt() * ROW - GAP;
      rows = Math.max(rows, place.path("y").asInt() + place.path("h").asInt());
      panels.append(
          "<div style=\"left:%dpx;top:%dpx;width:%dpx;height:%dpx\"><h2>%s</h2>%s</div>\n"
              .formatted(
                  place.path("x").asInt() * WIDTH / COLUMNS,
                  place.path("y").asInt() * ROW,
                  width,
                  height,
                  escaped(panel.path("title").asText()),
                  panel.path("type").asText().equals("stat")
                      ? "<p>" + number(panel) + "</p>"
                      : graph(panel, width, height - 24)));
    }
    String html =
        """
        <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><style>
        body { margin: 12px; font: 12px sans-serif; color: #222; } h1 { font-size: 18px; margin: 0 0 8px; }
        main { position: relative; } div { position: absolute; border: 1px solid #ddd; border-radius: 3px; }
        h2 { font-size: 12px; margin: 4px 8px; height: 16px; } p { font-size: 26px; margin: 6px 0; text-align: center; }
        text { font-size: 10px; fill: #555; }
        </style></head><body><h1>%s</h1><main>
        %s</main></body></html>
        """
            .formatted(escaped(dashboard.path("title").asText()), panels);
    return new Page(html, rows * ROW + 60);
  }

  private String number(JsonNode panel) throws IOException {
    List<Double> values = prometheus.query(query(panel.path("targets").get(0)));
    return values.isEmpty() ? "-" : text(values.get(0), unit(panel));
  }

  private String query(JsonNode target) {
    return variables.apply(target.path("expr").asText());
  }

  private static String unit(JsonNode panel) {
    return panel.at("/fieldConfig/defaults/unit").asText();
  }

  private String graph(JsonNode panel, int width, int height) throws IOException {
    List<Series> lines = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (JsonNode target : panel.path("targets")) {
      for (Series line : prometheus.range(query(target), from, to)) {
        // Families have a member for each reason; most are zero all the time.
        if (lines.size() < COLORS.size() && line.points().stream().anyMatch(p -> p[1] != 0)) {
          lines.add(line);
          names.add(name(target.path("legendFormat").asText(), line.labels()));
        }
      }
    }
    double most =
        lines.stream().flatMap(l -> l.points().stream()).mapToDouble(p -> p[1]).max().orElse(1);
    int left = 60;
    int bottom = height - 28;
    StringBuilder svg = new StringBuilder();
    svg.append("<svg width=\"%d\" height=\"%d\">".formatted(width, height));
    svg.append(
        "<path d=\"M%d 6V%dH%d\" stroke=\"#ccc\" fill=\"none\"/>"
            .formatted(left, bottom, width - 8));
    svg.append(label(4, 14, "#555", text(most, unit(panel))));
    svg.append(label(4, bottom, "#555", text(0, unit(panel))));
    int x = left;
    for (int i = 0; i < lines.size(); i++) {
      StringBuilder points = new StringBuilder();
      for (double[] point : lines.get(i).points()) {
        points.append(
            String.format(
                Locale.ROOT,
                "%.1f,%.1f ",
                left + (point[0] - from) / (to - from) * (width - 8 - left),
                bottom - point[1] / most * (bottom - 6)));
      }
      svg.append(
          "<polyline points=\"%s\" stroke=\"%s\" stroke-width=\"1.5\" fill=\"none\"/>"
              .formatted(points, COLORS.get(i)));
      svg.append(label(x, height - 10, COLORS.get(i), names.get(i)));
      x += 14 + 7 * names.get(i).length();
    }
    return svg.append("</svg>").toString();
  }

  private static String label(int x, int y, String color, String text) {
    return "<text x=\"%d\" y=\"%d\" style=\"fill:%s\">%s</text>"
        .formatted(x, y, color, escaped(text));
  }

  private static String name(String format, Map<String, String> labels) {
    String name = format;
    for (Map.Entry<String, String> label : labels.entrySet()) {
      name = name.replace("{{" + label.getKey() + "}}", label.getValue());
    }
    return name;
  }

  private static String text(double value, String unit) {
    return switch (unit) {
      case "percentunit" -> format(100 * value) + " %";
      case "ms" -> format(value / 1e3) + " s";
      case "µs" -> format(value / 1e3) + " ms";
      case "bytes" -> format(value / (1 << 20)) + " MiB";
      case "ops" -> format(value) + "/s";
      default -> format(value);
    };
  }

  private static String format(double value) {
    boolean isWhole = value == Math.rint(value) || Math.abs(value) >= 10;
    return String.format(Locale.ROOT, isWhole ? "%.0f" : "%.2f", value);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }
}
