// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.benchmark;

import io.hottub.report.BarChart;
import io.hottub.report.Sides;
import io.hottub.report.Stats;
import io.hottub.report.Tsv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Makes the table and the chart of the benchmark from its lines of results. */
public final class JvmTable {
  /** A workload and what it has to reach, where not 0: ratios of times, and a wall time in ms. */
  record Workload(String name, String title, double cpuRatio, double wallRatio, double wallMs) {}

  static final List<Workload> WORKLOADS =
      List.of(
          new Workload("hello", "HelloWorld", 0, 0, 12),
          new Workload("javac", "javac of a small file", 10, 0, 0),
          new Workload("fsshell", "Hadoop FsShell -cat, 1 MB", 12, 0, 0),
          new Workload("sparkpi", "SparkPi, local[2]", 10, 0, 0),
          new Workload("sql", "Spark SQL group-by, local[2]", 6, 0, 0));

  /** Milliseconds of all measured runs of one workload. */
  record Row(Workload workload, Sides wall, Sides cpu) {
    String target() {
      List<String> targets = new ArrayList<>();
      if (workload.wallMs > 0) {
        targets.add(String.format(Locale.ROOT, "wall %.0f ms, below stock", workload.wallMs));
      }
      if (workload.wallRatio > 0) {
        targets.add(String.format(Locale.ROOT, "wall %.1fx", workload.wallRatio));
      }
      if (workload.cpuRatio > 0) {
        targets.add(String.format(Locale.ROOT, "CPU %.0fx", workload.cpuRatio));
      }
      return String.join(", ", targets);
    }

    String verdict() {
      if (target().isEmpty()) {
        return "";
      }
      boolean inTime =
          workload.wallMs == 0
              || (wall.hotTubMedian() <= workload.wallMs
                  && wall.hotTubMedian() < wall.stockMedian());
      boolean reached =
          inTime && wall.ratio() >= workload.wallRatio && cpu.ratio() >= workload.cpuRatio;
      return reached ? "reached" : "**missed**";
    }
  }

  static List<Row> read(Path file, List<Workload> workloads) throws IOException {
    List<String[]> runs = Tsv.read(file).stream().filter(f -> !f[2].equals("0")).toList();
    return workloads.stream()
        .filter(workload -> runs.stream().anyMatch(f -> f[0].equals(workload.name)))
        .map(workload -> new Row(workload, sides(runs, workload, 3), sides(runs, workload, 4)))
        .toList();
  }

  private static Sides sides(List<String[]> runs, Workload workload, int column) {
    return new Sides(ms(runs, workload, "stock", column), ms(runs, workload, "hottub", column));
  }

  private static double[] ms(List<String[]> runs, Workload workload, String side, int column) {
    return runs.stream()
        .filter(f -> f[0].equals(workload.name) && f[1].equals(side))
        .mapToDouble(f -> Double.parseDouble(f[column]) / 1000)
        .toArray();
  }

  static String ms(double value) {
    return String.format(Locale.ROOT, value < 100 ? "%.1f" : "%.0f", value);
  }

  static String medianAndSpread(double[] values) {
    return "%s (%s-%s)"
        .formatted(
            ms(Stats.median(values)),
            ms(Stats.quantile(values, 0.25)),
            ms(Stats.quantile(values, 0.75)));
  }

  static String markdown(List<Row> rows) {
    StringBuilder text = new StringBuilder();
    text.append(
        "| workload | stock wall ms | HotTub wall ms | ratio | stock CPU ms | HotTub CPU ms |"
            + " ratio | target | |\n|---|---:|---:|---:|---:|---:|---:|---|---|\n");
    for (Row row : rows) {
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %s | %s | %.1fx | %s | %s | %.1fx | %s | %s |%n",
              row.workload.title,
              medianAndSpread(row.wall.stock()),
              medianAndSpread(row.wall.hotTub()),
              row.wall.ratio(),
              medianAndSpread(row.cpu.stock()),
              medianAndSpread(row.cpu.hotTub()),
              row.cpu.ratio(),
              row.target(),
              row.verdict()));
    }
    return text.toString();
  }

  static String svg(List<Row> rows, String title, String machine) {
    BarChart chart =
        new BarChart(
            title, List.of("wall time", "CPU time, the reset included"), ms -> ms(ms) + " ms");
    rows.forEach(row -> chart.add(row.workload.title, row.wall, row.cpu));
    return chart.svg("medians; dots are single runs. " + machine);
  }

  public static void main(String[] args) throws IOException {
    List<Row> rows = read(Path.of(args[0]), WORKLOADS);
    Path svg = Path.of(args[2]);
    String title = "One run after 10 others: HotTub against the stock JDK";
    Files.writeString(svg, svg(rows, title, args[3]));
    String table = markdown(rows);
    System.out.print(table);
    Files.writeString(
        Path.of(args[1]),
        """
# HotTub against the stock JDK, one machine, no cluster

![wall and CPU time](%s)

%s
Medians, with quartiles in brackets, of %d pairs after %s warm-up runs; within a pair the side that goes first
changes. Wall time is that of the command. CPU time is user and system time: on the stock side of the
process, on HotTub of the client, plus what keeper and pooled JVM have used from before the command until
the JVM was idle again and its clock stood still, so with reset, audit and background compilation. All
results were equal. Made by `integration-tests/benchmarks/run`.

- Machine: %s; load before the end %s.
- Versions: %s.
"""
            .formatted(
                svg.getFileName(),
                table,
                rows.get(0).wall.stock().length,
                args[5],
                args[3],
                args[6],
                args[4]));
  }
}
