// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.benchmark;

import io.hottub.report.RatioChart;
import io.hottub.report.Stats;
import io.hottub.report.Tsv;
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

/** Makes the table and the chart of the benchmark of steady states from its lines of results. */
public final class SteadyTable {
  /** What is measured on one side: for each pair the times of its iterations. */
  static final class Side {
    final Map<Integer, List<Double>> pairs = new TreeMap<>();

    double[] medians() {
      return pairs.values().stream().mapToDouble(Stats::median).toArray();
    }
  }

  /** A program, or one method of a micro benchmark. */
  static final class Item {
    final Side stock = new Side();
    final Side hotTub = new Side();

    double ratio() {
      return Stats.median(hotTub.medians()) / Stats.median(stock.medians());
    }

    double ratioOf(int pair) {
      return Stats.median(hotTub.pairs.get(pair)) / Stats.median(stock.pairs.get(pair));
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
      return Stats.geometricMean(items.values().stream().mapToDouble(Item::ratio).toArray());
    }

    double[] ratiosOfPairs() {
      Collection<Integer> pairs = items.values().iterator().next().stock.pairs.keySet();
      return pairs.stream()
          .mapToDouble(
              p ->
                  Stats.geometricMean(
                      items.values().stream().mapToDouble(i -> i.ratioOf(p)).toArray()))
          .sorted()
          .toArray();
    }
  }

  static Collection<Row> read(Path file) throws IOException {
    Map<String, Row> rows = new LinkedHashMap<>();
    for (String[] f : Tsv.read(file)) {
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
                ms(Stats.median(item.stock.medians())),
                ms(Stats.median(item.hotTub.medians())),
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
            "%nGeometric mean of %d ratios: **%.3f** (target: at most 1.01), the largest %.3f"
                + " (target: at most 1.03).%n",
            rows.size(),
            Stats.geometricMean(rows.stream().mapToDouble(Row::ratio).toArray()),
            worst));
    return text.toString();
  }

  static String svg(Collection<Row> rows, String machine) {
    RatioChart chart =
        new RatioChart(
            "Time of an iteration in steady state: HotTub / stock JDK (left of 1: HotTub is"
                + " faster)",
            0.05);
    for (Row row : rows) {
      double[] pairs = row.ratiosOfPairs();
      chart.add(row.title, row.ratio(), pairs[0], pairs[pairs.length - 1]);
    }
    return chart.svg("Medians; grey: from pair to pair; green: 5 %. " + machine);
  }

  public static void main(String[] args) throws IOException {
    Collection<Row> rows = read(Path.of(args[0]));
    Path svg = Path.of(args[2]);
    Files.writeString(svg, svg(rows, args[3]));
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
lease of its JVM. Programs: at least %s s to warm up, and until the medians of three windows of 4 s differ by no more
than 2 %% (or three times as long), %s s measured; micro benchmarks (of the source of the JDK, run by
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
