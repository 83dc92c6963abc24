// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.campaign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Makes the tables and the chart of the soak from what {@code Soak} has written. */
public final class SoakReport {
  /** One measured quantity: its column in samples.tsv, and what its unit is divided by. */
  record Quantity(String title, int column, double divisor, String format) {}

  static final List<Quantity> QUANTITIES =
      List.of(
          new Quantity("descriptors", 4, 1, "%.1f"),
          new Quantity("threads", 5, 1, "%.1f"),
          new Quantity("RSS, MiB", 6, 1024, "%.1f"),
          new Quantity("PSS, MiB", 7, 1024, "%.1f"),
          new Quantity("metaspace, MiB", 8, 1024, "%.2f"),
          new Quantity("code cache, MiB", 9, 1024, "%.2f"),
          new Quantity("heap in use, MiB", 10, 1024, "%.2f"));

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

    /** Least squares, for 1,000 leases. */
    double slope(Quantity q, int from) {
      int n = rows.size() - from;
      double sx = 0;
      double sy = 0;
      double sxx = 0;
      double sxy = 0;
      for (int i = from; i < rows.size(); i++) {
        sx += run(i);
        sy += at(i, q);
        sxx += run(i) * run(i);
        sxy += run(i) * at(i, q);
      }
      double divisor = n * sxx - sx * sx;
      return n < 3 || divisor == 0 ? Double.NaN : 1000 * (n * sxy - sx * sy) / divisor;
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

  static List<Jvm> jvms(Path file) throws IOException {
    Map<String, Jvm> jvms = new TreeMap<>();
    for (String line : Files.readAllLines(file)) {
      String[] f = line.split("\t", -1);
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
    for (String line : Files.readAllLines(file)) {
      String[] f = line.split("\t", -1);
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

  // ---- chart

  static final int WIDTH = 400;
  static final int HEIGHT = 150;
  static final int LEFT = 60;
  static final int STEP_X = WIDTH + LEFT + 20;
  static final int STEP_Y = HEIGHT + 60;
  static final List<String> COLOURS =
      List.of(
          "#e4572e", "#2e86ab", "#3b7a57", "#8e44ad", "#c9a227", "#666666", "#d16ba5", "#16a085");

  static String svg(List<Jvm> jvms) {
    int rows = (QUANTITIES.size() + 1) / 2;
    StringBuilder s = new StringBuilder();
    s.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-size=\"12\" font-family=\"sans-serif\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>%n"
            .formatted(2 * STEP_X + 20, rows * STEP_Y + 60));
    double runs = jvms.stream().mapToDouble(j -> j.run(j.rows.size() - 1)).max().orElse(1);
    List<String> programs = jvms.stream().map(Jvm::program).distinct().toList();
    for (int i = 0; i < programs.size(); i++) {
      text(s, LEFT + i * 110, 20, COLOURS.get(i % COLOURS.size()), programs.get(i));
    }
    for (int i = 0; i < QUANTITIES.size(); i++) {
      Quantity q = QUANTITIES.get(i);
      int x = LEFT + i % 2 * STEP_X;
      int y = 60 + i / 2 * STEP_Y;
      double top = 0;
      for (Jvm jvm : jvms) {
        for (int r = 0; r < jvm.rows.size(); r++) {
          top = Math.max(top, jvm.at(r, q));
        }
      }
      text(s, x, y - 8, "#222", q.title);
      s.append(
          "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"#999\"/>%n"
              .formatted(x, y, y + HEIGHT, x + WIDTH));
      text(s, x - 40, y + 10, "#666", String.format(Locale.ROOT, "%.0f", top));
      text(s, x - 14, y + HEIGHT, "#666", "0");
      text(
          s, x + WIDTH - 70, y + HEIGHT + 15, "#666", String.format(Locale.ROOT, "run %.0f", runs));
      for (Jvm jvm : jvms) {
        StringBuilder points = new StringBuilder();
        for (int r = 0; r < jvm.rows.size(); r++) {
          points.append(
              String.format(
                  Locale.ROOT,
                  "%.1f,%.1f ",
                  x + WIDTH * jvm.run(r) / runs,
                  y + HEIGHT - HEIGHT * jvm.at(r, q) / Math.max(top, 1e-9)));
        }
        s.append(
            "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\"/>%n"
                .formatted(
                    points.toString().strip(),
                    COLOURS.get(programs.indexOf(jvm.program) % COLOURS.size())));
      }
    }
    return s.append("</svg>\n").toString();
  }

  static void text(StringBuilder s, int x, int y, String colour, String text) {
    s.append("<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>%n".formatted(x, y, colour, text));
  }

  public static void main(String[] args) throws IOException {
    List<Jvm> jvms = jvms(Path.of(args[0]).resolve("samples.tsv"));
    Path svg = Path.of(args[1] + ".svg");
    Files.writeString(svg, svg(jvms));
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

        - Machine: %s.
        - Versions: %s.
        """
            .formatted(
                ends(Path.of(args[0]).resolve("ends.tsv"), jvms),
                slopes(jvms),
                svg.getFileName(),
                args[2],
                args[3]);
    System.out.print(report);
    Files.writeString(Path.of(args[1] + ".md"), report);
  }
}
