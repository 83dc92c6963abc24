// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.hive;

import io.hottub.report.BarChart;
import io.hottub.report.Sides;
import io.hottub.report.Stats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What has run on stock JVMs and on HotTub in pairs: every run, a table of medians, a chart. */
final class HivePairs {
  /**
   * One run.
   *
   * @param name of a query or a session; the pairs of a name are compared
   * @param cpuMillis of client and containers, to the end of what they leave to be done; 0 where
   *     only the wall time is known
   * @param serverMillis processor time of HiveServer2 meanwhile
   * @param warm containers of which JVMs of the pool were warm
   */
  record Timed(
      String name,
      boolean onStock,
      int pair,
      long wallMillis,
      long cpuMillis,
      long serverMillis,
      long containers,
      long warm) {
    String line() {
      return Stream.of(
              name,
              onStock ? "stock" : "hottub",
              pair,
              wallMillis,
              cpuMillis,
              serverMillis,
              containers,
              warm)
          .map(Object::toString)
          .reduce((fields, field) -> fields + "\t" + field)
          .orElseThrow();
    }
  }

  private final List<Timed> runs = new ArrayList<>();

  void add(Timed run) {
    runs.add(run);
  }

  /** Leaves three files of this name in a folder. */
  void write(Path folder, String name, String title) throws IOException {
    Files.createDirectories(folder);
    Files.write(folder.resolve(name + ".tsv"), runs.stream().map(Timed::line).toList());
    Files.writeString(folder.resolve(name + ".md"), table());
    BarChart chart =
        new BarChart(
            title,
            List.of("wall time of the client", "CPU time of client and containers"),
            ms -> seconds(ms) + " s");
    measured()
        .forEach(
            what -> chart.add(what, sides(what, Timed::wallMillis), sides(what, Timed::cpuMillis)));
    Files.writeString(
        folder.resolve(name + ".svg"), chart.svg("medians; dots are single runs. Hive on Tez"));
  }

  /** Names in the order in which they came first. */
  private List<String> names() {
    return runs.stream().map(Timed::name).distinct().toList();
  }

  private List<String> measured() {
    return names().stream()
        .filter(name -> sides(name, Timed::cpuMillis).stockMedian() > 0)
        .toList();
  }

  /**
   * Medians in seconds, the ratio of the medians, and the smallest and the largest ratio of a pair.
   */
  String table() {
    StringBuilder table =
        new StringBuilder(
            "| | stock, s | HotTub, s | faster | stock, CPU s | HotTub, CPU s | less CPU |"
                + " warm containers |\n|---|---:|---:|---|---:|---:|---|---|\n");
    for (String name : names()) {
      table.append("| ").append(name).append(" | ").append(columns(name, Timed::wallMillis));
      if (measured().contains(name)) {
        table.append(columns(name, Timed::cpuMillis));
        table.append(sum(name, Timed::warm)).append(" of ").append(sum(name, Timed::containers));
        table.append(" |\n");
      } else {
        table.append("| | | |\n");
      }
    }
    table.append(
        format(
            "| median | | | **%.1fx** | | | **%.1fx** | |%n",
            medianRatio(names(), Timed::wallMillis), medianRatio(measured(), Timed::cpuMillis)));
    return table.toString();
  }

  private double medianRatio(List<String> names, ToLongFunction<Timed> value) {
    return Stats.median(names.stream().map(name -> sides(name, value).ratio()).toList());
  }

  private String columns(String name, ToLongFunction<Timed> value) {
    Sides sides = sides(name, value);
    double[] ratios =
        IntStream.range(0, sides.stock().length)
            .mapToDouble(pair -> sides.stock()[pair] / sides.hotTub()[pair])
            .sorted()
            .toArray();
    return format(
        "%s | %s | **%s**, %.1f-%.1f | ",
        seconds(sides.stockMedian()),
        seconds(sides.hotTubMedian()),
        sides.ratioText(),
        ratios[0],
        ratios[ratios.length - 1]);
  }

  private Sides sides(String name, ToLongFunction<Timed> value) {
    return new Sides(side(name, true, value), side(name, false, value));
  }

  private double[] side(String name, boolean onStock, ToLongFunction<Timed> value) {
    return runs.stream()
        .filter(run -> run.name().equals(name) && run.onStock() == onStock)
        .sorted(Comparator.comparingInt(Timed::pair))
        .mapToDouble(value::applyAsLong)
        .toArray();
  }

  private long sum(String name, ToLongFunction<Timed> value) {
    return runs.stream()
        .filter(run -> run.name().equals(name) && !run.onStock())
        .mapToLong(value)
        .sum();
  }

  private static String seconds(double millis) {
    return format(millis < 10_000 ? "%.2f" : "%.1f", millis / 1000);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
