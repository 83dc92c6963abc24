// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.benchmark;

import io.hottub.report.BarChart;
import io.hottub.report.Stats;
import io.hottub.report.Tsv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Makes the table and the chart of reads of HDFS from the lines of results. */
public final class HdfsReadsTable {
  /** A size, what it has to reach, and what the paper of 2016 has. */
  private record Size(String name, String title, double goal, double paper) {}

  private static final List<Size> SIZES =
      List.of(
          new Size("1m", "1 MB", 15, 30.08),
          new Size("10m", "10 MB", 12, 18.04),
          new Size("100m", "100 MB", 6, 5.71),
          new Size("1g", "1 GB", 2.5, 1.66));

  private static final List<String> WAYS = List.of("client", "shell", "launcher");

  private HdfsReadsTable() {}

  private static List<JvmTable.Row> rows(Path results) throws IOException {
    List<JvmTable.Workload> workloads = new ArrayList<>();
    for (String way : WAYS) {
      for (Size size : SIZES) {
        workloads.add(
            new JvmTable.Workload(way + "-" + size.name, way + ", " + size.title, 0, size.goal, 0));
      }
    }
    return JvmTable.read(results, workloads);
  }

  private static Size size(JvmTable.Row row) {
    return SIZES.stream()
        .filter(size -> row.workload().name().endsWith("-" + size.name))
        .findFirst()
        .orElseThrow();
  }

  private static String markdown(List<JvmTable.Row> rows, List<String[]> runs) {
    StringBuilder text = new StringBuilder();
    text.append(
        "| read by, size | stock ms | HotTub ms | ratio | goal | | paper | limit ms | limit |"
            + " stock CPU ms | HotTub CPU ms | ratio |\n"
            + "|---|---:|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|\n");
    for (JvmTable.Row row : rows) {
      double limit = limit(row, runs);
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %s | %s | %.1fx | %sx | %s | %.2fx | %s | %s | %s | %s | %.1fx |%n",
              row.workload().title(),
              JvmTable.medianAndSpread(row.wall().stock()),
              JvmTable.medianAndSpread(row.wall().hotTub()),
              row.wall().ratio(),
              Double.toString(size(row).goal).replace(".0", ""),
              row.verdict(),
              size(row).paper,
              limit > 0 ? JvmTable.ms(limit) : "",
              limit > 0
                  ? String.format(Locale.ROOT, "%.1fx", row.wall().stockMedian() / limit)
                  : "",
              JvmTable.medianAndSpread(row.cpu().stock()),
              JvmTable.medianAndSpread(row.cpu().hotTub()),
              row.cpu().ratio()));
    }
    return text.toString();
  }

  /** Milliseconds; 0 where it was not measured. */
  private static double limit(JvmTable.Row row, List<String[]> runs) {
    double[] ms =
        runs.stream()
            .filter(run -> run[0].equals(row.workload().name()) && run[1].equals("limit"))
            .mapToDouble(run -> Double.parseDouble(run[3]) / 1000)
            .toArray();
    return ms.length == 0 ? 0 : Stats.median(ms);
  }

  public static void main(String[] args) throws IOException {
    List<JvmTable.Row> rows = rows(Path.of(args[0]));
    String table = markdown(rows, Tsv.read(Path.of(args[0])));
    BarChart chart =
        new BarChart(
            "One read of a file in HDFS", List.of("wall time"), ms -> JvmTable.ms(ms) + " ms");
    rows.forEach(row -> chart.add(row.workload().title(), row.wall()));
    Path svg = Path.of(args[2]);
    Files.writeString(svg, chart.svg("medians; dots are single runs. " + args[3]));
    System.out.print(table);
    Files.writeString(
        Path.of(args[1]),
        """
# Reads of HDFS

![wall time](%s)

%s
Medians, with quartiles in brackets, of %d pairs after %s warm-up runs on HotTub; within a pair the side that goes first
changes. NameNode and DataNode run on the same machine, and the files are in its memory. Made by
`integration-tests/benchmarks/hdfs-reads`.

- *client*: `programs/Reads.java`, 30 lines that open a file, read it and close it.
- *shell*: `FsShell -cat`, the class behind `hdfs dfs -cat`, run by `java`; its output goes to `/dev/null`.
- *launcher*: `hdfs dfs -cat`, a shell script that reads `hadoop-env.sh` and the like as Hadoop's does, and then runs that class.
- *limit*: the same read again and again in one stock JVM, with a file system of its own each time: nothing is warmed up, handed
  over or reset, and no process is started.
- *paper*: what the HotTub of 2016 had against a stock JVM of its time, on other machines.
- CPU time is that of the process on the stock side; on HotTub of the client, plus what keeper and pooled JVM have used until
  they were idle again.

[Every run](%s): workload, side, pair (0: warm-up), wall time and CPU time in microseconds, digest of the result.

- Machine: %s; load before the end %s.
- Versions: %s.
"""
            .formatted(
                svg.getFileName(),
                table,
                rows.get(0).wall().stock().length,
                args[5],
                svg.getFileName().toString().replace(".svg", ".tsv"),
                args[3],
                args[6],
                args[4]));
  }
}
