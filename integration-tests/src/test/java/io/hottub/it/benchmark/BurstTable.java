// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.benchmark;

import io.hottub.report.BarChart;
import io.hottub.report.Sides;
import io.hottub.report.Stats;
import io.hottub.report.Tsv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/** Makes the table and the chart of executors that start at once. */
public final class BurstTable {
  /** A column of the results, and how many times as much stock JVMs are to take; 0: no target. */
  private record Measure(String title, int column, double target) {}

  private static final List<Measure> MEASURES =
      List.of(
          new Measure("until all have registered", 3, 4),
          new Measure("CPU of all executors until then", 4, 6),
          new Measure("CPU of all executors until their end", 5, 0));

  private static final int READY = 6;
  private static final int WARM = 7;

  private final List<String[]> lines;

  private BurstTable(List<String[]> lines) {
    this.lines = lines;
  }

  private long executors() {
    return Long.parseLong(lines.get(0)[2]);
  }

  private double[] column(String side, int column) {
    return lines.stream()
        .filter(f -> f[0].equals(side))
        .mapToDouble(f -> Double.parseDouble(f[column]))
        .toArray();
  }

  private Sides seconds(Measure measure) {
    return new Sides(
        DoubleStream.of(column("stock", measure.column)).map(ms -> ms / 1000).toArray(),
        DoubleStream.of(column("clone", measure.column)).map(ms -> ms / 1000).toArray());
  }

  private static String spread(double... seconds) {
    return String.format(
        Locale.ROOT,
        "%.1f (%.1f to %.1f)",
        Stats.median(seconds),
        Stats.quantile(seconds, 0),
        Stats.quantile(seconds, 1));
  }

  private static String range(double... counts) {
    long least = (long) Stats.quantile(counts, 0);
    long most = (long) Stats.quantile(counts, 1);
    return least == most ? Long.toString(least) : least + " to " + most;
  }

  private static String verdict(boolean reached) {
    return reached ? "reached" : "**missed**";
  }

  private String table() {
    StringBuilder text =
        new StringBuilder(
            "| | stock | HotTub, clones | ratio | target | |\n|---|---:|---:|---:|---|---|\n");
    for (Measure measure : MEASURES) {
      Sides sides = seconds(measure);
      boolean aims = measure.target > 0;
      text.append(
          String.format(
              Locale.ROOT,
              "| %s, s | %s | %s | %s | %s | %s |%n",
              measure.title,
              spread(sides.stock()),
              spread(sides.hotTub()),
              sides.ratioText(),
              aims ? String.format(Locale.ROOT, "%.0fx", measure.target) : "",
              aims ? verdict(sides.ratio() >= measure.target) : ""));
    }
    double[] warm = column("clone", WARM);
    boolean all = DoubleStream.of(warm).allMatch(count -> count == executors());
    text.append(
        "| executors in warm clones | | %s of %d | | all | %s |%n"
            .formatted(range(warm), executors(), verdict(all)));
    return text.toString();
  }

  private String svg(String machine) {
    BarChart chart =
        new BarChart(
            executors() + " executors of one Spark application at once",
            MEASURES.stream().map(Measure::title).toList(),
            seconds -> String.format(Locale.ROOT, "%.1f s", seconds));
    return chart
        .add(executors() + " executors", MEASURES.stream().map(this::seconds).toArray(Sides[]::new))
        .svg("medians; dots are single runs. " + machine);
  }

  public static void main(String[] args) throws IOException {
    Path results = Path.of(args[0]);
    BurstTable table = new BurstTable(Tsv.read(results));
    Path svg = Path.of(args[2]);
    Files.writeString(svg, table.svg(args[3]));
    String page =
        """
# %d executors at once: clones of one template against stock JVMs

![time and CPU time](%s)

%s
Medians of %d pairs, in brackets the least and the most; within a pair the side that goes first changes. All
executors of a Spark application in client mode (1 core and 512 MB of heap each) start at once on one node; YARN gives them all at one heartbeat. The
clock runs from the start of `spark-submit` until the driver has seen the last of them; on HotTub its own JVMs
are of the pool, too. Then each executor has a task of a shuffle. All results were equal.

CPU time is user and system time of the executors' containers, with their launch scripts; with clones also of the
template, all of its clones and their keepers: what copies them, what they compile, and the clones that are made
for the next runs. Until their end: on the stock side without what each takes in its last quarter of a second;
with clones until the pool is at rest.

Before, applications of one executor trained one JVM until it was a template. When a measured application began,
%s of its clones were ready; more were made while it started.

[Every run](%s): side, pair, executors, ms until all have registered, ms of CPU until then, ms of CPU until
their end, clones that were ready before, executors in warm clones. Made by `integration-tests/benchmarks/burst`.

- Machine: %s; load before the end %s.
- Versions: %s.
"""
            .formatted(
                table.executors(),
                svg.getFileName(),
                table.table(),
                table.column("clone", WARM).length,
                range(table.column("clone", READY)),
                results.getFileName(),
                args[3],
                args[5],
                args[4]);
    System.out.print(page);
    Files.writeString(Path.of(args[1]), page);
  }
}
