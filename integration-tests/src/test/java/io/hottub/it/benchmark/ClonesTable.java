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

/** Makes the tables and the chart of clones beside reuse and the stock JDK. */
public final class ClonesTable {
  private static final List<String> SIDES = List.of("stock", "reuse", "clone");

  /** Name in the lines, and in the table. */
  private record Start(String name, String title) {}

  private static final List<Start> STARTS =
      List.of(
          new Start("reuse", "reuse"),
          new Start("clone", "clone, ready"),
          new Start("made", "clone, made for the run"));

  private final List<String[]> lines;

  private ClonesTable(List<String[]> lines) {
    this.lines = lines;
  }

  private double[] column(String name, String side, int column) {
    return lines.stream()
        .filter(f -> f[0].equals(name) && f[1].equals(side) && (column == 2 || !f[2].equals("0")))
        .mapToDouble(f -> Double.parseDouble(f[column]))
        .toArray();
  }

  private double[] ms(String workload, String side, int column) {
    double[] values = column(workload, side, column);
    for (int i = 0; i < values.length; i++) {
      values[i] /= 1000;
    }
    return values;
  }

  private List<JvmTable.Workload> workloads() {
    return JvmTable.WORKLOADS.stream()
        .filter(workload -> lines.stream().anyMatch(f -> f[0].equals(workload.name())))
        .toList();
  }

  private String starts() {
    StringBuilder text =
        new StringBuilder("| | median | p90 | p99 | longest |\n|---|---:|---:|---:|---:|\n");
    for (Start start : STARTS) {
      double[] us = ms("start", start.name(), 3);
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %.1f | %.1f | %.1f | %.1f |%n",
              start.title(),
              Stats.median(us),
              Stats.quantile(us, 0.9),
              Stats.quantile(us, 0.99),
              Stats.quantile(us, 1)));
    }
    return text.toString();
  }

  private String workloadTable() {
    StringBuilder text =
        new StringBuilder(
            "| workload | stock wall ms | reuse | clone | stock CPU ms | reuse | clone |\n"
                + "|---|---:|---:|---:|---:|---:|---:|\n");
    for (JvmTable.Workload workload : workloads()) {
      text.append("| ").append(workload.title());
      for (int column : List.of(3, 4)) {
        for (String side : SIDES) {
          text.append(" | ").append(JvmTable.medianAndSpread(ms(workload.name(), side, column)));
        }
      }
      text.append(" |\n");
    }
    return text.toString();
  }

  private String memory() {
    return lines.stream()
        .filter(f -> f[0].equals("memory"))
        .map(
            f ->
                f[2]
                    + " ready clones of the Spark SQL template: "
                    + f[3]
                    + " MB PSS in all, with the template and all keepers.\n")
        .findFirst()
        .orElse("");
  }

  private String svg(String machine) {
    BarChart chart =
        new BarChart(
            "One run in a clone against the stock JDK",
            List.of("wall time", "CPU time, that of the next clone included"),
            value -> JvmTable.ms(value) + " ms");
    for (JvmTable.Workload workload : workloads()) {
      String name = workload.name();
      chart.add(
          workload.title(),
          new Sides(ms(name, "stock", 3), ms(name, "clone", 3)),
          new Sides(ms(name, "stock", 4), ms(name, "clone", 4)));
    }
    return chart.svg("medians; dots are single runs. " + machine);
  }

  public static void main(String[] args) throws IOException {
    ClonesTable table = new ClonesTable(Tsv.read(Path.of(args[0])));
    Path svg = Path.of(args[2]);
    Files.writeString(svg, table.svg(args[3]));
    String page =
        """
# Clones beside reuse and the stock JDK, one machine, no cluster

![wall and CPU time](%s)

%s
Medians, with quartiles in brackets, of %d rounds after %s runs each of reuse and clone (in a clone's pool these
train the template); within a round the one that goes first changes. Wall time is that of the command. CPU time
is user and system time: on the stock side of the process; else of the client, plus what all keepers and JVMs of
the pool have used until all were at rest: with reset, audit, background compilation, and the copy that waits for
the next run. All results were equal.

From the start of `java` to the first line of main, %d runs each of a small program, ms:

%s
%s
[Every run](%s): workload, side, pair (0: warm-up), wall time and CPU time in microseconds, digest of the result.
Lines `start`: side, run, microseconds until the first line of main. `memory`: clones, MB.

Made by `integration-tests/benchmarks/clones`.

- Machine: %s; load before the end %s.
- Versions: %s.
"""
            .formatted(
                svg.getFileName(),
                table.workloadTable(),
                table.ms(table.workloads().get(0).name(), "stock", 3).length,
                args[5],
                table.ms("start", "clone", 3).length,
                table.starts(),
                table.memory(),
                svg.getFileName().toString().replace(".svg", ".tsv"),
                args[3],
                args[6],
                args[4]);
    System.out.print(page);
    Files.writeString(Path.of(args[1]), page);
  }
}
