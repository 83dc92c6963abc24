// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.quickstart;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.function.ToDoubleFunction;

/**
 * The quickstart's report: reads {@code results.tsv} and {@code facts.properties} of a folder,
 * prints the table, and writes {@code report.md}, {@code report.json} and {@code chart.svg} beside
 * them. Exit status 1: results differ.
 */
public final class Report {
  /** One run of one job. */
  record Run(
      String job,
      boolean hotTub,
      int pair,
      double wallMs,
      double cpuMs,
      boolean settled,
      String digest,
      int containers,
      int containersServed,
      int containersWarm,
      int clientJvms,
      int clientServed,
      int clientWarm,
      double ownMs) {

    static Run parse(String line) {
      String[] f = line.split("\t", -1);
      if (f.length != 14) {
        throw new IllegalArgumentException("not a line of results: " + line);
      }
      return new Run(
          f[0],
          f[1].equals("hottub"),
          Integer.parseInt(f[2]),
          Double.parseDouble(f[3]),
          Double.parseDouble(f[4]),
          Boolean.parseBoolean(f[5]),
          f[6],
          Integer.parseInt(f[7]),
          Integer.parseInt(f[8]),
          Integer.parseInt(f[9]),
          Integer.parseInt(f[10]),
          Integer.parseInt(f[11]),
          Integer.parseInt(f[12]),
          f[13].isEmpty() ? Double.NaN : Double.parseDouble(f[13]));
    }
  }

  /** A run on stock JVMs and the same on HotTub; pair 0 is the warm-up and counts in no median. */
  record Pair(int number, Run stock, Run hotTub) {
    boolean equalResults() {
      return stock.digest.equals(hotTub.digest);
    }
  }

  /** All pairs of one job. */
  record Job(String name, List<Pair> pairs) {
    List<Pair> measured() {
      return pairs.stream().filter(p -> p.number > 0).toList();
    }

    double stockWallMs() {
      return median(measured().stream().mapToDouble(p -> p.stock.wallMs).toArray());
    }

    double hotTubWallMs() {
      return median(measured().stream().mapToDouble(p -> p.hotTub.wallMs).toArray());
    }

    double stockCpuMs() {
      return median(measured().stream().mapToDouble(p -> p.stock.cpuMs).toArray());
    }

    double hotTubCpuMs() {
      return median(measured().stream().mapToDouble(p -> p.hotTub.cpuMs).toArray());
    }

    /** What the job itself counted, without start and end of its JVMs; NaN: it does not count. */
    double stockOwnMs() {
      return median(measured().stream().mapToDouble(p -> p.stock.ownMs).toArray());
    }

    double hotTubOwnMs() {
      return median(measured().stream().mapToDouble(p -> p.hotTub.ownMs).toArray());
    }

    boolean equalResults() {
      // Not only within a pair: there is one right answer.
      return pairs.stream()
              .flatMap(p -> List.of(p.stock.digest, p.hotTub.digest).stream())
              .distinct()
              .count()
          == 1;
    }

    boolean fasterInEveryPair() {
      return measured().stream().allMatch(p -> p.hotTub.wallMs < p.stock.wallMs);
    }

    int containers() {
      return measured().stream().mapToInt(p -> p.hotTub.containers).sum();
    }

    int containersServed() {
      return measured().stream().mapToInt(p -> p.hotTub.containersServed).sum();
    }

    int containersWarm() {
      return measured().stream().mapToInt(p -> p.hotTub.containersWarm).sum();
    }

    int clientJvms() {
      return measured().stream().mapToInt(p -> p.hotTub.clientJvms).sum();
    }

    int clientWarm() {
      return measured().stream().mapToInt(p -> p.hotTub.clientWarm).sum();
    }

    String title() {
      return switch (name) {
        case "spark" -> "Spark SQL on YARN";
        case "spark-cluster" -> "Spark SQL on YARN, cluster mode";
        case "tez" -> "Tez OrderedWordCount";
        case "mapreduce" -> "MapReduce WordCount";
        case "hdfs" -> "hdfs dfs -cat, 1 MB";
        default -> name.replace("tpch-q", "TPC-H query ").replace("tpcds-q", "TPC-DS query ");
      };
    }
  }

  private Report() {}

  public static void main(String[] args) throws IOException {
    if (args.length != 1) {
      System.err.println("usage: Report FOLDER");
      System.exit(2);
    }
    Path folder = Path.of(args[0]);
    Properties facts = new Properties();
    try (Reader in = Files.newBufferedReader(folder.resolve("facts.properties"))) {
      facts.load(in);
    }
    List<Job> jobs = parse(Files.readAllLines(folder.resolve("results.tsv")));
    Files.writeString(folder.resolve("chart.svg"), svg(jobs, facts));
    Files.writeString(folder.resolve("report.json"), json(jobs, facts));
    Files.writeString(folder.resolve("report.md"), markdown(jobs, facts));
    System.out.println();
    System.out.print(table(jobs));
    summary(jobs).forEach(System.out::println);
    System.out.println();
    if (!jobs.stream().allMatch(Job::equalResults)) {
      System.err.println("quickstart: the results on HotTub and on stock JVMs differ");
      System.exit(1);
    }
  }

  static List<Job> parse(List<String> lines) {
    Map<String, Map<Integer, Run[]>> runs = new LinkedHashMap<>();
    for (String line : lines) {
      if (!line.isBlank()) {
        Run run = Run.parse(line);
        runs.computeIfAbsent(run.job, j -> new LinkedHashMap<>())
                .computeIfAbsent(run.pair, p -> new Run[2])[run.hotTub ? 1 : 0] =
            run;
      }
    }
    List<Job> jobs = new ArrayList<>();
    runs.forEach(
        (name, pairs) -> {
          List<Pair> list = new ArrayList<>();
          pairs.forEach(
              (number, pair) -> {
                if (pair[0] != null && pair[1] != null) {
                  list.add(new Pair(number, pair[0], pair[1]));
                }
              });
          jobs.add(new Job(name, list));
        });
    return jobs;
  }

  static double median(double... values) {
    if (values.length == 0) {
      return Double.NaN;
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private static String seconds(double ms) {
    return String.format(
        Locale.ROOT, ms < 1_000 ? "%.3f" : ms < 10_000 ? "%.2f" : "%.1f", ms / 1000);
  }

  private static String ratio(double stock, double hotTub) {
    // CPU is counted in ticks of 10 ms: what used less than one has no ratio.
    return hotTub > 0 ? String.format(Locale.ROOT, "%.1fx", stock / hotTub) : "-";
  }

  private static String share(int part, int whole) {
    return whole == 0 ? "-" : String.format(Locale.ROOT, "%d of %d", part, whole);
  }

  private static final String[] HEADINGS = {
    "job (medians)",
    "stock s",
    "HotTub s",
    "ratio",
    "stock CPU s",
    "HotTub CPU s",
    "ratio",
    "containers warm",
    "client JVMs warm",
    "faster in every pair",
    "results"
  };

  private static String[] cells(Job job) {
    return new String[] {
      job.title(),
      seconds(job.stockWallMs()),
      seconds(job.hotTubWallMs()),
      ratio(job.stockWallMs(), job.hotTubWallMs()),
      seconds(job.stockCpuMs()),
      seconds(job.hotTubCpuMs()),
      ratio(job.stockCpuMs(), job.hotTubCpuMs()),
      share(job.containersWarm(), job.containers()),
      share(job.clientWarm(), job.clientJvms()),
      job.fasterInEveryPair() ? "yes" : "no",
      job.equalResults() ? "equal" : "DIFFER"
    };
  }

  static String table(List<Job> jobs) {
    List<String[]> rows = new ArrayList<>();
    rows.add(HEADINGS);
    jobs.forEach(job -> rows.add(cells(job)));
    int[] width = new int[HEADINGS.length];
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        width[i] = Math.max(width[i], row[i].length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.length; i++) {
        line.append(i == 0 ? "" : "  ");
        line.append(String.format("%" + (i == 0 ? "-" : "") + width[i] + "s", row[i]));
      }
      text.append(line.toString().stripTrailing()).append('\n');
      if (row == HEADINGS) {
        text.append("-".repeat(line.length())).append('\n');
      }
    }
    return text.toString();
  }

  /** What all jobs have in common, when there are enough of them. */
  static List<String> summary(List<Job> jobs) {
    List<String> lines = new ArrayList<>();
    if (jobs.size() > 3) {
      lines.add(spread("wall", jobs, Job::stockWallMs, Job::hotTubWallMs));
      lines.add(spread("CPU", jobs, Job::stockCpuMs, Job::hotTubCpuMs));
      lines.add(spread("in the application alone", jobs, Job::stockOwnMs, Job::hotTubOwnMs));
    }
    return lines;
  }

  private static String spread(
      String what, List<Job> jobs, ToDoubleFunction<Job> stock, ToDoubleFunction<Job> hotTub) {
    double[] ratios =
        jobs.stream()
            .mapToDouble(job -> stock.applyAsDouble(job) / hotTub.applyAsDouble(job))
            .filter(ratio -> !Double.isNaN(ratio))
            .sorted()
            .toArray();
    return ratios.length == 0
        ? what + ": not counted"
        : String.format(
            Locale.ROOT,
            "%s: median %.2fx, least %.2fx, most %.2fx of %d jobs",
            what,
            median(ratios),
            ratios[0],
            ratios[ratios.length - 1],
            ratios.length);
  }

  static String markdown(List<Job> jobs, Properties facts) {
    StringBuilder text = new StringBuilder("# HotTub quickstart\n\n");
    if (!"yes".equals(facts.getProperty("pool"))) {
      text.append(
          "**There was no pool in this run:** an ordinary JDK stood in for the HotTub home, so both sides are stock JVMs.\n\n");
    }
    text.append("![wall and CPU time, HotTub against stock JVMs](chart.svg)\n\n");
    text.append("| ").append(String.join(" | ", HEADINGS)).append(" |\n");
    text.append("|---").append("|---:".repeat(HEADINGS.length - 3)).append("|---|---|\n");
    for (Job job : jobs) {
      text.append("| ").append(String.join(" | ", cells(job))).append(" |\n");
    }
    for (String line : summary(jobs)) {
      text.append("\n- ").append(line);
    }
    if (!summary(jobs).isEmpty()) {
      text.append('\n');
    }
    text.append(limits(jobs, facts));
    text.append(
        "\nPairs in the order in which they were run; pair 0 is the warm-up and in no median.\n\n");
    text.append(
        "| job | pair | stock s | HotTub s | stock CPU s | HotTub CPU s | containers: launched, served by the pool, warm"
            + " | client JVMs: started, served by the pool, warm | in the application: stock s, HotTub s | results |\n");
    text.append("|---|---:|---:|---:|---:|---:|---:|---:|---:|---|\n");
    for (Job job : jobs) {
      for (Pair p : job.pairs) {
        Run h = p.hotTub;
        text.append("| ")
            .append(
                String.join(
                    " | ",
                    job.title(),
                    Integer.toString(p.number),
                    seconds(p.stock.wallMs),
                    seconds(h.wallMs),
                    seconds(p.stock.cpuMs) + (p.stock.settled ? "" : " (not at rest)"),
                    seconds(h.cpuMs) + (h.settled ? "" : " (not at rest)"),
                    h.containers + ", " + h.containersServed + ", " + h.containersWarm,
                    h.clientJvms + ", " + h.clientServed + ", " + h.clientWarm,
                    Double.isNaN(h.ownMs) ? "" : seconds(p.stock.ownMs) + ", " + seconds(h.ownMs),
                    p.equalResults() ? "equal" : "DIFFER"))
            .append(" |\n");
      }
    }
    text.append("\n## What was run\n\n");
    text.append(
        String.format(
            Locale.ROOT,
            "Hadoop %s, Spark %s, Tez %s; stock JDK %s, HotTub home %s (HotTub %s, commit %s); %s, %s cores, %s MB, Linux %s; %s; %s s in all.%n%n",
            facts.getProperty("hadoop"),
            facts.getProperty("spark"),
            facts.getProperty("tez"),
            facts.getProperty("jdk"),
            facts.getProperty("home_jdk"),
            facts.getProperty("hottub"),
            facts.getProperty("commit"),
            facts.getProperty("cpu"),
            facts.getProperty("cores"),
            facts.getProperty("memory_mb"),
            facts.getProperty("kernel"),
            facts.getProperty("date"),
            facts.getProperty("seconds")));
    text.append(
        String.format(
            Locale.ROOT,
            """
            - One cluster for both sides: NameNode, DataNode, ResourceManager and NodeManager, each a process on the stock JDK,
              with HotTub installed on the NodeManager from the tarball. Within a pair the side that goes first changes.
            - Spark: `spark-submit`, client mode, 2 executors of 1 core; a join and a group-by over %s rows of Parquet in HDFS.
              HotTub: `--conf spark.hottub.enabled=true`, with HotTub's line in `spark-env.sh`.
            - Tez: OrderedWordCount of %s bytes. HotTub: `-Dtez.hottub.enabled=true`, and the client's `JAVA_HOME`.
            - MapReduce: WordCount of the same text. HotTub: `JAVA_HOME` of the client and, by `-D....env=JAVA_HOME=...`, of
              application master and tasks.
            - TPC-H and TPC-DS: the text of the queries is that of Spark's own tests; the tables are generated (scale %s), so the
              results are not those of the benchmarks. One `spark-submit` for each query, %s mode; the order differs from round to round.
            - `hdfs dfs -cat` of 1,000,000 bytes. HotTub: the client's `JAVA_HOME`.
            - Warm: served by the pool, by a JVM that had served at least one run before.

            ## How it was measured

            Wall time is that of the whole command, from its start to its end. CPU time is user and system time of everything that the
            job made run: the client, the containers with their shell scripts, and on HotTub the pooled JVMs and their keepers with
            reset and audit, which go on after the command has ended; so on both sides the count ends only when all is at rest
            (no container left, no JVM leased or being reset, CPU time no longer growing). The four daemons' own time, with HotTub's
            service in the NodeManager, is left out on both sides. All processes live below one process that
            adopts orphans, so none is missed, also when it is killed. Resolution: 10 ms for each process.
            """,
            facts.getProperty("rows"),
            facts.getProperty("text_bytes"),
            facts.getProperty("scale"),
            facts.getProperty("tpc_mode")));
    return text.toString();
  }

  /** What the jobs counted themselves, beside what is left when nothing warms up any more. */
  private static String limits(List<Job> jobs, Properties facts) {
    StringBuilder rows = new StringBuilder();
    for (Job job : jobs) {
      String limit = facts.getProperty("limit." + job.name);
      if (limit != null) {
        rows.append("| ")
            .append(
                String.join(
                    " | ",
                    job.title(),
                    seconds(job.stockOwnMs()),
                    seconds(job.hotTubOwnMs()),
                    seconds(Double.parseDouble(limit))))
            .append(" |\n");
      }
    }
    return rows.isEmpty()
        ? ""
        : """

          ## The query alone

          Without start and end of its JVMs, and without reading what the tables are; medians. The limit: all of them in turn
          in one process on stock JVMs, median of the later half of the rounds.

          | job | stock s | HotTub s | limit s |
          |---|---:|---:|---:|
          """
            + rows;
  }

  private static String quote(String text) {
    StringBuilder s = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        s.append('\\').append(c);
      } else if (c < ' ') {
        s.append(String.format("\\u%04x", (int) c));
      } else {
        s.append(c);
      }
    }
    return s.append('"').toString();
  }

  private static String json(Run run) {
    return String.format(
        Locale.ROOT,
        "{\"wall_ms\":%.1f,\"cpu_ms\":%.0f,\"settled\":%b,\"digest\":%s,\"containers\":%d,\"containers_served\":%d,"
            + "\"containers_warm\":%d,\"client_jvms\":%d,\"client_served\":%d,\"client_warm\":%d,\"own_ms\":%s}",
        run.wallMs,
        run.cpuMs,
        run.settled,
        quote(run.digest),
        run.containers,
        run.containersServed,
        run.containersWarm,
        run.clientJvms,
        run.clientServed,
        run.clientWarm,
        Double.isNaN(run.ownMs) ? "null" : Long.toString(Math.round(run.ownMs)));
  }

  static String json(List<Job> jobs, Properties facts) {
    List<String> factList = new ArrayList<>();
    facts.stringPropertyNames().stream()
        .sorted()
        .forEach(name -> factList.add(quote(name) + ":" + quote(facts.getProperty(name))));
    List<String> jobList = new ArrayList<>();
    for (Job job : jobs) {
      List<String> pairList = new ArrayList<>();
      for (Pair p : job.pairs) {
        pairList.add(
            String.format(
                Locale.ROOT,
                "    {\"pair\":%d,\"equal\":%b,%n     \"stock\":%s,%n     \"hottub\":%s}",
                p.number,
                p.equalResults(),
                json(p.stock),
                json(p.hotTub)));
      }
      jobList.add(
          String.format(
              Locale.ROOT,
              "  {\"job\":%s,\"stock_wall_ms\":%.1f,\"hottub_wall_ms\":%.1f,\"stock_cpu_ms\":%.0f,\"hottub_cpu_ms\":%.0f,"
                  + "\"containers\":%d,\"containers_served\":%d,\"containers_warm\":%d,\"faster_in_every_pair\":%b,\"equal\":%b,%n"
                  + "   \"pairs\":[%n%s]}",
              quote(job.name),
              job.stockWallMs(),
              job.hotTubWallMs(),
              job.stockCpuMs(),
              job.hotTubCpuMs(),
              job.containers(),
              job.containersServed(),
              job.containersWarm(),
              job.fasterInEveryPair(),
              job.equalResults(),
              String.join(",\n", pairList)));
    }
    return "{\"version\":1,\n \"facts\":{"
        + String.join(",", factList)
        + "},\n \"jobs\":[\n"
        + String.join(",\n", jobList)
        + "]}\n";
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** A panel for each job and measure: stock is the full width, a dot is one run. */
  static String svg(List<Job> jobs, Properties facts) {
    int left = 190;
    int panel = 300;
    int gap = 110;
    int row = 74;
    int top = 78;
    int width = left + 2 * (panel + gap);
    int height = top + row * jobs.size() + 34;
    StringBuilder s = new StringBuilder();
    s.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
                + " font-family=\"sans-serif\" font-size=\"13\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>%n",
            width,
            height,
            width,
            height));
    text(s, 16, 26, "start", "#222", 17, "HotTub against stock JVMs");
    text(s, left, 56, "start", "#222", 13, "wall time of the command");
    text(s, left + panel + gap, 56, "start", "#222", 13, "CPU time of all its processes");
    int y = top;
    for (Job job : jobs) {
      text(s, 16, y + 30, "start", "#222", 13, job.title());
      bars(
          s,
          left,
          y,
          panel,
          job.stockWallMs(),
          job.hotTubWallMs(),
          job.measured().stream().mapToDouble(p -> p.stock.wallMs).toArray(),
          job.measured().stream().mapToDouble(p -> p.hotTub.wallMs).toArray());
      bars(
          s,
          left + panel + gap,
          y,
          panel,
          job.stockCpuMs(),
          job.hotTubCpuMs(),
          job.measured().stream().mapToDouble(p -> p.stock.cpuMs).toArray(),
          job.measured().stream().mapToDouble(p -> p.hotTub.cpuMs).toArray());
      y += row;
    }
    s.append(
        String.format(
            Locale.ROOT,
            "<rect x=\"16\" y=\"%d\" width=\"12\" height=\"12\" fill=\"#b9c0c9\"/><rect x=\"80\" y=\"%d\" width=\"12\""
                + " height=\"12\" fill=\"#e4572e\"/>%n",
            y + 6,
            y + 6));
    text(s, 33, y + 17, "start", "#222", 12, "stock");
    text(s, 97, y + 17, "start", "#222", 12, "HotTub");
    text(
        s,
        left,
        y + 17,
        "start",
        "#666",
        11,
        String.format(
            "medians of %s pairs after a warm-up; dots: single runs. Hadoop %s, Spark %s, Tez %s, JDK %s, %s cores",
            facts.getProperty("pairs"),
            facts.getProperty("hadoop"),
            facts.getProperty("spark"),
            facts.getProperty("tez"),
            facts.getProperty("jdk"),
            facts.getProperty("cores")));
    return s.append("</svg>\n").toString();
  }

  private static void bars(
      StringBuilder s,
      int x,
      int y,
      int width,
      double stock,
      double hotTub,
      double[] stocks,
      double[] hotTubs) {
    double longest = Math.max(Math.max(stock, hotTub), 1e-9);
    for (double v : stocks) {
      longest = Math.max(longest, v);
    }
    for (double v : hotTubs) {
      longest = Math.max(longest, v);
    }
    bar(s, x, y + 4, width, stock, longest, stocks, "#b9c0c9", seconds(stock) + " s");
    bar(
        s,
        x,
        y + 30,
        width,
        hotTub,
        longest,
        hotTubs,
        "#e4572e",
        seconds(hotTub) + " s  (" + ratio(stock, hotTub) + ")");
  }

  private static void bar(
      StringBuilder s,
      int x,
      int y,
      int width,
      double value,
      double longest,
      double[] runs,
      String colour,
      String label) {
    double end = width * value / longest;
    double labelAt = end;
    s.append(
        String.format(
            Locale.ROOT,
            "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"20\" fill=\"%s\"/>%n",
            x,
            y,
            end,
            colour));
    for (double run : runs) {
      double at = width * run / longest;
      labelAt = Math.max(labelAt, at);
      s.append(
          String.format(
              Locale.ROOT,
              "<circle cx=\"%.1f\" cy=\"%d\" r=\"2.5\" fill=\"#333\" fill-opacity=\"0.6\"/>%n",
              x + at,
              y + 10));
    }
    text(s, (int) (x + labelAt + 7), y + 15, "start", "#222", 12, label);
  }

  private static void text(
      StringBuilder s, int x, int y, String anchor, String colour, int size, String text) {
    s.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" fill=\"%s\" font-size=\"%d\">%s</text>%n",
            x,
            y,
            anchor,
            colour,
            size,
            escape(text)));
  }
}
