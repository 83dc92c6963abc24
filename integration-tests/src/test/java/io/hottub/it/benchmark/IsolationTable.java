// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.benchmark;

import io.hottub.report.BarChart;
import io.hottub.report.Sides;
import io.hottub.report.Stats;
import io.hottub.report.Tsv;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.stream.Stream;

/** Makes the table and the chart of queries in reuse and in clones, of a quickstart's results. */
public final class IsolationTable {
  private static final String REUSE = "reuse";
  private static final String CLONE = "clone";
  private static final int WALL = 3;
  private static final int CPU = 4;
  private static final int RESULT = 6;

  private final Path quickstart;
  private final List<String[]> measured;

  private IsolationTable(Path quickstart, int warmUp) throws IOException {
    this.quickstart = quickstart;
    measured =
        Tsv.read(quickstart.resolve("results.tsv")).stream()
            .filter(f -> Integer.parseInt(f[2]) >= warmUp)
            .toList();
  }

  private List<String> queries() {
    return measured.stream().map(f -> f[0]).distinct().sorted().toList();
  }

  private double[] column(String query, String side, int column) {
    return measured.stream()
        .filter(f -> f[0].equals(query) && f[1].equals(side))
        .mapToDouble(f -> Double.parseDouble(f[column]) / 1000)
        .toArray();
  }

  private Sides sides(String query, int column) {
    return new Sides(column(query, REUSE, column), column(query, CLONE, column));
  }

  /** Of all queries: how many times as long they take in clones. */
  private String inClones(int column) {
    double[] times = queries().stream().mapToDouble(q -> 1 / sides(q, column).ratio()).toArray();
    return String.format(
        Locale.ROOT,
        "**%.2f**, %.2f to %.2f",
        Stats.median(times),
        Stats.quantile(times, 0),
        Stats.quantile(times, 1));
  }

  private String row(String query) {
    Sides wall = sides(query, WALL);
    Sides cpu = sides(query, CPU);
    return String.format(
        Locale.ROOT,
        "| %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |%n",
        query,
        wall.stockMedian(),
        wall.hotTubMedian(),
        1 / wall.ratio(),
        cpu.stockMedian(),
        cpu.hotTubMedian(),
        1 / cpu.ratio());
  }

  private boolean isResultTheSame(String query) {
    return measured.stream().filter(f -> f[0].equals(query)).map(f -> f[RESULT]).distinct().count()
        == 1;
  }

  /** How the JVMs of the runs on that side were served. */
  private String served(String side) throws IOException {
    int all = 0;
    int asAsked = 0;
    for (String[] f : measured) {
      if (!f[1].equals(side)) {
        continue;
      }
      String name = f[0] + "-" + f[2] + "-" + side;
      try (Stream<Path> traces = Files.list(quickstart.resolve("results"))) {
        for (Path trace :
            traces.filter(p -> p.getFileName().toString().startsWith(name + ".trace-")).toList()) {
          List<String> lines = Files.readAllLines(trace);
          String word = side.equals(CLONE) ? "clone" : "reuse";
          all += lines.size();
          asAsked +=
              (int)
                  lines.stream()
                      .filter(l -> l.contains("\"isolation\":\"" + word + "\",\"warm\":true"))
                      .count();
        }
      }
    }
    return asAsked + " of " + all;
  }

  private String svg() {
    BarChart chart =
        new BarChart(
            "Queries by spark-submit on YARN: in reuse and in clones",
            List.of("reuse", "clone"),
            List.of("wall time", "CPU time of all JVMs"),
            value -> String.format(Locale.ROOT, "%.1f s", value));
    for (String query : queries()) {
      chart.add(query, sides(query, WALL), sides(query, CPU));
    }
    return chart.svg("medians; dots are single runs");
  }

  private String page(Properties facts, int warmUp) throws IOException {
    StringBuilder rows = new StringBuilder();
    queries().forEach(query -> rows.append(row(query)));
    long differ = queries().stream().filter(query -> !isResultTheSame(query)).count();
    int rounds = column(queries().get(0), CLONE, WALL).length;
    return """
# Queries in reuse and in clones, by spark-submit on YARN

![wall and CPU time, reuse and clones](isolation.svg)

The same queries, tables and cluster as in [tpc.md](tpc.md), %s mode; `spark.hottub.isolation=reuse` and `clone`
in turn, each round in an order of its own. %d rounds to train and warm up, then %d measured.

| in clones, as a multiple of reuse | median of all queries, least, most |
|---|---|
| wall time | %s |
| CPU time of all JVMs | %s |

- Results: %s.
- JVMs served as asked, warm: %s in clones, %s in reuse.

| query | reuse, s | clone, s | ratio | reuse CPU, s | clone CPU, s | ratio |
|---|---:|---:|---:|---:|---:|---:|
%s
Medians. CPU time is that of all JVMs of the job, with keepers, resets and copies, until the pool was at rest.
[All runs](isolation.tsv) have the columns of client mode. Made by
`integration-tests/benchmarks/isolation`.

- Versions: JDK %s, Hadoop %s, Spark %s.
"""
        .formatted(
            facts.getProperty("tpc_mode"),
            warmUp,
            rounds,
            inClones(WALL),
            inClones(CPU),
            differ == 0 ? "equal, for each query in all runs" : differ + " queries DIFFER",
            served(CLONE),
            served(REUSE),
            rows,
            facts.getProperty("jdk"),
            facts.getProperty("hadoop"),
            facts.getProperty("spark"));
  }

  /** Arguments: the quickstart's output, rounds to leave out, folder for the report. */
  public static void main(String[] args) throws IOException {
    int warmUp = Integer.parseInt(args[1]);
    Path out = Path.of(args[2]);
    IsolationTable table = new IsolationTable(Path.of(args[0]), warmUp);
    Properties facts = new Properties();
    try (Reader text = Files.newBufferedReader(table.quickstart.resolve("facts.properties"))) {
      facts.load(text);
    }
    String page = table.page(facts, warmUp);
    System.out.print(page);
    Files.writeString(out.resolve("isolation.md"), page);
    Files.writeString(out.resolve("isolation.svg"), table.svg());
    Files.copy(
        table.quickstart.resolve("results.tsv"),
        out.resolve("isolation.tsv"),
        StandardCopyOption.REPLACE_EXISTING);
  }
}
