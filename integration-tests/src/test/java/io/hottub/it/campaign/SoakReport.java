// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.campaign;

import io.hottub.report.LineChart;
import io.hottub.report.Stats;
import io.hottub.report.Tsv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Makes the tables and the chart of the soak from what {@code Soak} has written. */
public final class SoakReport {
  private static final double UNBOUNDED = Double.POSITIVE_INFINITY;

  /** What a JVM has in memory beside metaspace and code may grow by this part of it. */
  private static final double GROWTH_OF_THE_REST = 0.05;

  /** In the last third of the runs a run may trap so many times more often than in the second. */
  private static final double GROWTH_OF_TRAPS = 1.5;

  private static final double TRAPS_OF_A_RUN = 20;

  /** A JVM of fewer runs is warming up. */
  private static final int RUNS_MIN = 100;

  /**
   * One measured quantity: its column in samples.tsv, and what its unit is divided by.
   *
   * @param growth by how much it may be more at the end than after a third of the runs, as a part
   *     of what it was then
   */
  record Quantity(String title, int column, double divisor, String format, double growth) {}

  private static final Quantity RSS = new Quantity("RSS, MiB", 6, 1024, "%.1f", UNBOUNDED);

  /** Of methods that become hot late: the JVM itself retires when it has half of the cache. */
  private static final Quantity CODE = new Quantity("code cache, MiB", 9, 1024, "%.2f", 0.6);

  private static final Quantity METASPACE = new Quantity("metaspace, MiB", 8, 1024, "%.2f", 0.25);

  static final List<Quantity> QUANTITIES =
      List.of(
          new Quantity("descriptors", 4, 1, "%.1f", 0),
          new Quantity("threads", 5, 1, "%.1f", 0),
          RSS,
          new Quantity("PSS, MiB", 7, 1024, "%.1f", UNBOUNDED),
          METASPACE,
          CODE,
          new Quantity("heap in use, MiB", 10, 1024, "%.2f", 0.05));

  private static final Quantity TRAPS = new Quantity("traps", 11, 1, "%.0f", UNBOUNDED);

  /**
   * The samples of one JVM. The first third is its warm-up: classes are loaded, code is compiled.
   */
  record Jvm(String program, List<String[]> rows) {
    double at(int i, Quantity q) {
      return Double.parseDouble(rows.get(i)[q.column]) / q.divisor;
    }

    double run(int i) {
      return Double.parseDouble(rows.get(i)[3]);
    }

    double[] column(Quantity q) {
      return IntStream.range(0, rows.size()).mapToDouble(i -> at(i, q)).toArray();
    }

    double[] runs() {
      return IntStream.range(0, rows.size()).mapToDouble(this::run).toArray();
    }

    double rest(int i) {
      return at(i, RSS) - at(i, METASPACE) - at(i, CODE);
    }

    double trapsOfARun(int from, int to) {
      return (at(to, TRAPS) - at(from, TRAPS)) / (run(to) - run(from));
    }

    /** For 1,000 leases. */
    double slope(Quantity q, int from) {
      int to = rows.size();
      return 1000
          * Stats.slope(
              Arrays.copyOfRange(runs(), from, to), Arrays.copyOfRange(column(q), from, to));
    }

    String cell(Quantity q) {
      String value = q.format;
      return String.format(
          Locale.ROOT,
          value + " -> " + value + ", " + "%+.2f",
          at(rows.size() / 3, q),
          at(rows.size() - 1, q),
          slope(q, rows.size() / 3));
    }
  }

  /** What is beyond its bound: one line each, empty if all is flat. */
  static List<String> beyond(List<Jvm> jvms) {
    List<String> lines = new ArrayList<>();
    for (Jvm jvm : jvms) {
      int last = jvm.rows.size() - 1;
      int third = jvm.rows.size() / 3;
      if (last < 5 || jvm.run(last) < RUNS_MIN) {
        continue;
      }
      for (Quantity q : QUANTITIES) {
        judge(lines, jvm, q.title, jvm.at(third, q), jvm.at(last, q), q.growth);
      }
      judge(lines, jvm, "the rest of RSS", jvm.rest(third), jvm.rest(last), GROWTH_OF_THE_REST);
      double before = jvm.trapsOfARun(third, 2 * third);
      double after = jvm.trapsOfARun(2 * third, last);
      if (after > before * GROWTH_OF_TRAPS + TRAPS_OF_A_RUN) {
        lines.add("%s: %.1f traps a run, %.1f before".formatted(jvm.program, after, before));
      }
    }
    return lines;
  }

  private static void judge(
      List<String> lines, Jvm jvm, String what, double before, double after, double growth) {
    if (after > before * (1 + growth)) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%s: %s: %.2f, after a third of the runs %.2f",
              jvm.program,
              what,
              after,
              before));
    }
  }

  static List<Jvm> jvms(Path file) throws IOException {
    Map<String, Jvm> jvms = new TreeMap<>();
    for (String[] f : Tsv.read(file)) {
      jvms.computeIfAbsent(f[0] + " " + f[2], k -> new Jvm(f[0], new ArrayList<>())).rows.add(f);
    }
    return List.copyOf(jvms.values());
  }

  static String ends(Path file, List<Jvm> jvms) throws IOException {
    // leases, wrong, from the pool, cold, killed before they were traced
    Map<String, int[]> counts = new TreeMap<>();
    Map<String, TreeSet<String>> statuses = new TreeMap<>();
    Map<String, Integer> reasons = new TreeMap<>();
    int[] all = new int[5];
    for (String[] f : Tsv.read(file)) {
      for (int[] c : List.of(counts.computeIfAbsent(f[0], k -> new int[5]), all)) {
        c[0]++;
        c[1] += f[4].equals("wrong") ? 1 : 0;
        c[2] += f[5].equals("pool") ? 1 : 0;
        c[3] += f[5].equals("cold") ? 1 : 0;
        c[4] += f[5].equals("killed") ? 1 : 0;
      }
      statuses.computeIfAbsent(f[0], k -> new TreeSet<>()).add("%3s".formatted(f[3]));
      if (f[5].equals("cold")) {
        reasons.merge(f[6].replaceAll(".*\"reason\":\"?([^\",]*).*", "$1"), 1, Integer::sum);
      }
    }
    StringBuilder s = new StringBuilder();
    s.append(
        "**%d leases, %d wrong results.** %d were served by the pool, %d ran cold%s, %d clients were killed before they could tell.\n\n"
            .formatted(
                all[0], all[1], all[2], all[3], reasons.isEmpty() ? "" : " " + reasons, all[4]));
    s.append("| program | leases | wrong | from the pool | JVMs sampled | exit statuses |\n");
    s.append("|---|---:|---:|---:|---:|---|\n");
    counts.forEach(
        (program, c) ->
            s.append(
                "| %s | %d | %d | %d | %d | %s |\n"
                    .formatted(
                        program,
                        c[0],
                        c[1],
                        c[2],
                        jvms.stream().filter(j -> j.program.equals(program)).count(),
                        String.join(", ", statuses.get(program)).replaceAll(" +", " ").strip())));
    return s.toString();
  }

  static String slopes(List<Jvm> jvms) {
    StringBuilder s = new StringBuilder("| JVM of | runs |");
    QUANTITIES.forEach(q -> s.append(" ").append(q.title).append(" |"));
    s.append("\n|---|---:|").append("---:|".repeat(QUANTITIES.size())).append("\n");
    for (Jvm jvm : jvms) {
      if (jvm.rows.size() < 6) {
        continue;
      }
      s.append("| %s | %.0f |".formatted(jvm.program, jvm.run(jvm.rows.size() - 1)));
      QUANTITIES.forEach(q -> s.append(" ").append(jvm.cell(q)).append(" |"));
      s.append("\n");
    }
    return s.toString();
  }

  static String svg(List<Jvm> jvms) {
    LineChart chart = new LineChart("run");
    for (Quantity q : QUANTITIES) {
      chart.panel(q.title);
      jvms.forEach(jvm -> chart.line(jvm.program, jvm.runs(), jvm.column(q)));
    }
    return chart.svg();
  }

  public static void main(String[] args) throws IOException {
    List<Jvm> jvms = jvms(Path.of(args[0]).resolve("samples.tsv"));
    Path svg = Path.of(args[1] + ".svg");
    Files.writeString(svg, svg(jvms));
    List<String> beyond = beyond(jvms);
    String report =
        """
# Soak

Eight programs that end in every way: by themselves, with other statuses, by uncaught exceptions, in hooks and initialisers, by halt,
stack overflow and lack of memory, killed by SIGTERM, SIGINT, SIGHUP and SIGKILL once they wait or (javac, FsShell, Groovy, H2, Clojure,
SparkPi) at a random moment. Wrong: exit status, standard output, standard error or files are not those of the stock JDK; of a
run that was killed at a random moment, they are neither those nor a beginning of those with the signal's status. No JVM was retired
for its number of leases. Made by `integration-tests/campaigns/soak/run`.

%s
## What the JVMs hold

Sampled when the JVM has been idle for 10 s (after 8 s it gives free memory back). Each cell: after a third of the JVM's runs, at the end, and the slope for 1,000 leases over the last two thirds.

%s
![descriptors, threads, memory](%s)

Bounds, for JVMs of at least 100 runs: no descriptor and no thread more at the end than after a third of the runs; heap in use and
what is resident beside metaspace and code at most 5 %% more, metaspace 25 %%, code 60 %%; not 1.5 times as many traps a run, and 20,
in the last third as in the second. **%s**

- Machine: %s.
- Versions: %s.
"""
            .formatted(
                ends(Path.of(args[0]).resolve("ends.tsv"), jvms),
                slopes(jvms),
                svg.getFileName(),
                beyond.isEmpty() ? "All hold." : "Beyond: " + String.join("; ", beyond) + ".",
                args[2],
                args[3]);
    System.out.print(report);
    Files.writeString(Path.of(args[1] + ".md"), report);
    System.exit(beyond.isEmpty() ? 0 : 1);
  }
}
