// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Makes the table and the chart of the benchmark from its lines of results. */
public final class JvmTable {
  /** A workload and what it has to reach: a ratio of CPU times, and a wall time in ms. */
  record Workload(String name, String title, double cpuRatio, double wallMs) {}

  static final List<Workload> WORKLOADS =
      List.of(
          new Workload("hello", "HelloWorld", 0, 12),
          new Workload("javac", "javac of a small file", 10, 0),
          new Workload("fsshell", "Hadoop FsShell -cat, 1 MB", 12, 0),
          new Workload("sparkpi", "SparkPi, local[2]", 10, 0),
          new Workload("sql", "Spark SQL group-by, local[2]", 6, 0));

  /** Milliseconds of all measured runs of one workload on one side. */
  static final class Side {
    final double[] wall;
    final double[] cpu;

    Side(double[] wall, double[] cpu) {
      this.wall = wall;
      this.cpu = cpu;
    }
  }

  record Row(Workload workload, Side stock, Side hotTub) {
    double cpuRatio() {
      return median(stock.cpu) / median(hotTub.cpu);
    }

    String target() {
      return workload.cpuRatio > 0
          ? String.format(Locale.ROOT, "CPU %.0fx", workload.cpuRatio)
          : String.format(Locale.ROOT, "wall %.0f ms, below stock", workload.wallMs);
    }

    boolean isReached() {
      return workload.cpuRatio > 0
          ? cpuRatio() >= workload.cpuRatio
          : median(hotTub.wall) <= workload.wallMs && median(hotTub.wall) < median(stock.wall);
    }
  }

  static double median(double[] values) {
    return quantile(values, 0.5);
  }

  static double quantile(double[] values, double q) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double at = q * (sorted.length - 1);
    int low = (int) at;
    int high = Math.min(low + 1, sorted.length - 1);
    return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
  }

  static List<Row> read(Path file) throws IOException {
    Map<String, List<double[]>> runs = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file)) {
      String[] f = line.split("\t", -1);
      if (!f[2].equals("0")) {
        double[] wallAndCpu = {Double.parseDouble(f[3]) / 1000, Double.parseDouble(f[4]) / 1000};
        runs.computeIfAbsent(f[0] + " " + f[1], k -> new ArrayList<>()).add(wallAndCpu);
      }
    }
    List<Row> rows = new ArrayList<>();
    for (Workload workload : WORKLOADS) {
      if (runs.containsKey(workload.name + " stock")) {
        rows.add(
            new Row(
                workload,
                side(runs.get(workload.name + " stock")),
                side(runs.get(workload.name + " hottub"))));
      }
    }
    return rows;
  }

  static Side side(List<double[]> runs) {
    return new Side(
        runs.stream().mapToDouble(r -> r[0]).toArray(),
        runs.stream().mapToDouble(r -> r[1]).toArray());
  }

  static String ms(double value) {
    return String.format(Locale.ROOT, value < 100 ? "%.1f" : "%.0f", value);
  }

  static String medianAndSpread(double[] values) {
    return "%s (%s-%s)"
        .formatted(ms(median(values)), ms(quantile(values, 0.25)), ms(quantile(values, 0.75)));
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
              medianAndSpread(row.stock.wall),
              medianAndSpread(row.hotTub.wall),
              median(row.stock.wall) / median(row.hotTub.wall),
              medianAndSpread(row.stock.cpu),
              medianAndSpread(row.hotTub.cpu),
              row.cpuRatio(),
              row.target(),
              row.isReached() ? "reached" : "**missed**"));
    }
    return text.toString();
  }

  // ---- chart

  static final int LEFT = 210;
  static final int PANEL = 320;
  static final int GAP = 100;
  static final int ROW = 64;
  static final int TOP = 70;

  static void text(StringBuilder s, double x, int y, String colour, String text) {
    s.append(
        String.format(
            Locale.ROOT, "<text x=\"%.0f\" y=\"%d\" fill=\"%s\">%s</text>%n", x, y, colour, text));
  }

  static void bar(
      StringBuilder s, int x, int y, double[] values, double longest, String fill, String label) {
    double length = PANEL * median(values) / longest;
    s.append(
        String.format(
            Locale.ROOT,
            "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"18\" fill=\"%s\"/>%n",
            x,
            y,
            length,
            fill));
    double end = length;
    for (double value : values) {
      double at = PANEL * value / longest;
      end = Math.max(end, at);
      s.append(
          String.format(
              Locale.ROOT,
              "<circle cx=\"%.1f\" cy=\"%d\" r=\"2\" fill=\"#333\" fill-opacity=\"0.6\"/>%n",
              x + at,
              y + 9));
    }
    text(s, x + end + 7, y + 14, "#222", label);
  }

  static void bars(StringBuilder s, int x, int y, double[] stock, double[] hotTub) {
    double longest = Math.max(quantile(stock, 1), quantile(hotTub, 1));
    String ratio = String.format(Locale.ROOT, " ms (%.1fx)", median(stock) / median(hotTub));
    bar(s, x, y, stock, longest, "#b9c0c9", ms(median(stock)) + " ms");
    bar(s, x, y + 22, hotTub, longest, "#e4572e", ms(median(hotTub)) + ratio);
  }

  static String svg(List<Row> rows, String machine) {
    int width = LEFT + 2 * (PANEL + GAP) + 20;
    int height = TOP + ROW * rows.size() + 30;
    StringBuilder s = new StringBuilder();
    s.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-size=\"13\""
                .formatted(width, height)
            + " font-family=\"sans-serif\">\n"
            + "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    text(s, 16, 24, "#222", "One run after 10 others: stock JDK (grey), HotTub (red)");
    text(s, LEFT, 54, "#222", "wall time");
    text(s, LEFT + PANEL + GAP, 54, "#222", "CPU time, the reset included");
    int y = TOP;
    for (Row row : rows) {
      text(s, 16, y + 24, "#222", row.workload.title);
      bars(s, LEFT, y, row.stock.wall, row.hotTub.wall);
      bars(s, LEFT + PANEL + GAP, y, row.stock.cpu, row.hotTub.cpu);
      y += ROW;
    }
    text(s, 16, y + 14, "#666", "Medians; dots are single runs. " + machine);
    return s.append("</svg>\n").toString();
  }

  public static void main(String[] args) throws IOException {
    List<Row> rows = read(Path.of(args[0]));
    Path svg = Path.of(args[2]);
    String machine = args[3].replace("&", "&amp;").replace("<", "&lt;");
    Files.writeString(svg, svg(rows, machine));
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
                rows.get(0).stock.wall.length,
                args[5],
                args[3],
                args[6],
                args[4]));
  }
}
