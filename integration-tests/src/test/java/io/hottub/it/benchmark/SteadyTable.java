// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.DoubleStream;

/** Makes the table and the chart of the benchmark of steady states from its lines of results. */
public final class SteadyTable {
  /** What is measured on one side: for each pair the times of its iterations. */
  static final class Side {
    final Map<Integer, List<Double>> pairs = new TreeMap<>();

    double[] medians() {
      return pairs.values().stream().mapToDouble(SteadyTable::median).toArray();
    }
  }

  /** A program, or one method of a micro benchmark. */
  static final class Item {
    final Side stock = new Side();
    final Side hotTub = new Side();

    double ratio() {
      return median(hotTub.medians()) / median(stock.medians());
    }

    double ratioOf(int pair) {
      return median(hotTub.pairs.get(pair)) / median(stock.pairs.get(pair));
    }
  }

  /** A line of the table: a program, or a class of micro benchmarks. */
  static final class Row {
    final String group;
    final String title;
    final Map<String, Item> items = new LinkedHashMap<>();

    Row(String group, String title) {
      this.group = group;
      this.title = title;
    }

    boolean isProgram() {
      return group.equals(title);
    }

    double ratio() {
      return geometricMean(items.values().stream().mapToDouble(Item::ratio));
    }

    double[] ratiosOfPairs() {
      Collection<Integer> pairs = items.values().iterator().next().stock.pairs.keySet();
      return pairs.stream()
          .mapToDouble(p -> geometricMean(items.values().stream().mapToDouble(i -> i.ratioOf(p))))
          .sorted()
          .toArray();
    }
  }

  static double median(Collection<Double> values) {
    return median(values.stream().mapToDouble(v -> v).toArray());
  }

  static double median(double[] values) {
    double[] sorted = DoubleStream.of(values).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  static double geometricMean(DoubleStream ratios) {
    return Math.exp(ratios.map(Math::log).average().orElseThrow());
  }

  static Collection<Row> read(Path file) throws IOException {
    Map<String, Row> rows = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file)) {
      String[] f = line.split("\t", -1);
      String name = f[3].split(" ", -1)[0];
      String title = f[0].equals(f[3]) ? f[3] : name.substring(0, name.lastIndexOf('.'));
      Item item =
          rows.computeIfAbsent(title, t -> new Row(f[0], t))
              .items
              .computeIfAbsent(f[3], i -> new Item());
      (f[1].equals("stock") ? item.stock : item.hotTub)
          .pairs
          .computeIfAbsent(Integer.valueOf(f[2]), p -> new ArrayList<>())
          .add(Double.valueOf(f[4]));
    }
    return rows.values();
  }

  static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }

  static String ms(double nanoseconds) {
    double ms = nanoseconds / 1e6;
    return format(ms < 10 ? "%.2f" : ms < 100 ? "%.1f" : "%.0f", ms);
  }

  static String ratioAndSpread(Row row) {
    double[] pairs = row.ratiosOfPairs();
    return format("**%.3f** | %.3f-%.3f", row.ratio(), pairs[0], pairs[pairs.length - 1]);
  }

  static String markdown(Collection<Row> rows) {
    StringBuilder text = new StringBuilder();
    if (rows.stream().anyMatch(Row::isProgram)) {
      text.append(
          """
          | program | stock, ms | HotTub, ms | ratio | of the pairs |
          |---|---:|---:|---:|---:|
          """);
    }
    for (Row row : rows) {
      if (row.isProgram()) {
        Item item = row.items.values().iterator().next();
        text.append(
            format(
                "| %s | %s | %s | %s |%n",
                row.title,
                ms(median(item.stock.medians())),
                ms(median(item.hotTub.medians())),
                ratioAndSpread(row)));
      }
    }
    if (!rows.stream().allMatch(Row::isProgram)) {
      text.append(
          """

          | micro benchmarks | number | ratio | of the pairs | of the methods |
          |---|---:|---:|---:|---:|
          """);
    }
    for (Row row : rows) {
      if (!row.isProgram()) {
        double[] ratios = row.items.values().stream().mapToDouble(Item::ratio).sorted().toArray();
        text.append(
            format(
                "| %s | %d | %s | %.2f-%.2f |%n",
                row.title,
                ratios.length,
                ratioAndSpread(row),
                ratios[0],
                ratios[ratios.length - 1]));
      }
    }
    double worst = rows.stream().mapToDouble(Row::ratio).max().orElseThrow();
    text.append(
        format(
            "%nGeometric mean of %d ratios: **%.3f** (target: at most 1.02), the largest %.3f (target: at most 1.05).%n",
            rows.size(), geometricMean(rows.stream().mapToDouble(Row::ratio)), worst));
    return text.toString();
  }

  // ---- chart

  static final int LEFT = 330;
  static final int PANEL = 560;
  static final int TOP = 60;
  static final int ROW = 20;
  static final double FROM = 0.7;
  static final double TO = 1.4;

  static double x(double ratio) {
    double at = Math.log(Math.min(TO, Math.max(FROM, ratio)) / FROM) / Math.log(TO / FROM);
    return LEFT + PANEL * at;
  }

  static String svg(Collection<Row> rows, String machine) {
    int bottom = TOP + ROW * rows.size();
    StringBuilder s = new StringBuilder();
    s.append(
        format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-size=\"13\""
                + " font-family=\"sans-serif\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>%n",
            LEFT + PANEL + 80, bottom + 40));
    text(
        s,
        16,
        24,
        "#222",
        "Time of an iteration in steady state: HotTub / stock JDK (left of 1: HotTub is faster)");
    s.append(
        format(
            "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"#eef3ee\"/>%n",
            x(0.95), TOP - 8, x(1.05) - x(0.95), bottom - TOP + 8));
    for (double ratio : new double[] {0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.4}) {
      s.append(
          format(
              "<line x1=\"%1$.1f\" x2=\"%1$.1f\" y1=\"%2$d\" y2=\"%3$d\" stroke=\"%4$s\"/>%n",
              x(ratio), TOP - 8, bottom, ratio == 1 ? "#666" : "#ddd"));
      text(s, x(ratio) - 9, TOP - 14, "#222", format("%.1f", ratio));
    }
    int y = TOP + 10;
    for (Row row : rows) {
      double[] pairs = row.ratiosOfPairs();
      text(s, 16, y + 4, "#222", row.title);
      s.append(
          format(
              "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%3$d\" y2=\"%3$d\" stroke=\"#b9c0c9\" stroke-width=\"4\"/>%n",
              x(pairs[0]), x(pairs[pairs.length - 1]), y));
      s.append(
          format(
              "<circle cx=\"%.1f\" cy=\"%d\" r=\"4.5\" fill=\"#e4572e\"/>%n", x(row.ratio()), y));
      text(s, LEFT + PANEL + 12, y + 4, "#222", format("%.3f", row.ratio()));
      y += ROW;
    }
    text(s, 16, y + 14, "#666", "Medians; grey: from pair to pair; green: 5 %. " + machine);
    return s.append("</svg>\n").toString();
  }

  static void text(StringBuilder s, double x, int y, String colour, String text) {
    s.append(format("<text x=\"%.0f\" y=\"%d\" fill=\"%s\">%s</text>%n", x, y, colour, text));
  }

  public static void main(String[] args) throws IOException {
    Collection<Row> rows = read(Path.of(args[0]));
    Path svg = Path.of(args[2]);
    String machine = args[3].replace("&", "&amp;").replace("<", "&lt;");
    Files.writeString(svg, svg(rows, machine));
    String table = markdown(rows);
    System.out.print(table);
    Files.writeString(
        Path.of(args[1]),
        """
        # Steady state: HotTub against the stock JDK

        ![ratios](%s)

        %s
        Each ratio is the time of an iteration on HotTub, divided by that on the stock JVM: medians of the iterations
        after the warm-up in one process, then medians over %s pairs; beside them the smallest and the largest ratio of a
        pair. Every pair has new JVMs on both sides, and the side that goes first changes. On HotTub it is the third
        lease of its JVM. Programs: %s s to warm up, %s s measured; micro benchmarks (of the source of the JDK, run by
        JMH, all of a group one after the other in one process): 5 times %s ms each. Options: `-Xmx1g`. Made by
        `integration-tests/benchmarks/steady`.

        - Machine: %s; load before the end %s.
        - Versions: %s.
        """
            .formatted(
                svg.getFileName(),
                table,
                args[6],
                args[7],
                args[8],
                args[9],
                args[3],
                args[5],
                args[4]));
  }
}
