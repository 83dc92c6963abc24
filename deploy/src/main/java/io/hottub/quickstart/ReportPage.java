// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.quickstart;

import java.util.List;
import java.util.Locale;
import java.util.Properties;

/** {@code report.md}: the medians, every pair, and what was run and how it was measured. */
final class ReportPage {
  private ReportPage() {}

  static String markdown(List<JobPairs> jobs, Properties facts) {
    StringBuilder text = new StringBuilder("# HotTub quickstart\n\n");
    if (!"yes".equals(facts.getProperty("pool"))) {
      text.append(
          "**There was no pool in this run:** an ordinary JDK stood in for the HotTub home, so both"
              + " sides are stock JVMs.\n\n");
    }
    text.append("![wall and CPU time, HotTub against stock JVMs](chart.svg)\n\n");
    text.append("| ").append(String.join(" | ", ReportTable.HEADINGS)).append(" |\n");
    text.append("|---")
        .append("|---:".repeat(ReportTable.HEADINGS.size() - 3))
        .append("|---|---|\n");
    for (JobPairs job : jobs) {
      text.append("| ").append(String.join(" | ", ReportTable.cells(job))).append(" |\n");
    }
    for (String line : ReportTable.summary(jobs)) {
      text.append("\n- ").append(line);
    }
    if (!ReportTable.summary(jobs).isEmpty()) {
      text.append('\n');
    }
    text.append(limits(jobs, facts));
    text.append(
        "\nPairs in the order in which they were run; pair 0 is the warm-up and in no median.\n\n");
    text.append(
        "| job | pair | stock s | HotTub s | stock CPU s | HotTub CPU s | containers: launched,"
            + " served by the pool, warm | client JVMs: started, served by the pool, warm | in the"
            + " application: stock s, HotTub s | results |\n");
    text.append("|---|---:|---:|---:|---:|---:|---:|---:|---:|---|\n");
    for (JobPairs job : jobs) {
      for (JobPairs.Pair p : job.pairs()) {
        JobRun h = p.hotTub();
        text.append("| ")
            .append(
                String.join(
                    " | ",
                    job.title(),
                    Integer.toString(p.number()),
                    ReportTable.seconds(p.stock().wallMs()),
                    ReportTable.seconds(h.wallMs()),
                    ReportTable.seconds(p.stock().cpuMs())
                        + (p.stock().settled() ? "" : " (not at rest)"),
                    ReportTable.seconds(h.cpuMs()) + (h.settled() ? "" : " (not at rest)"),
                    h.containers() + ", " + h.containersServed() + ", " + h.containersWarm(),
                    h.clientJvms() + ", " + h.clientServed() + ", " + h.clientWarm(),
                    Double.isNaN(h.ownMs())
                        ? ""
                        : ReportTable.seconds(p.stock().ownMs())
                            + ", "
                            + ReportTable.seconds(h.ownMs()),
                    p.equalResults() ? "equal" : "DIFFER"))
            .append(" |\n");
      }
    }
    return text.append(conditions(facts)).toString();
  }

  /** What the jobs counted themselves, beside what is left when nothing warms up any more. */
  private static String limits(List<JobPairs> jobs, Properties facts) {
    StringBuilder rows = new StringBuilder();
    for (JobPairs job : jobs) {
      String limit = facts.getProperty("limit." + job.name());
      if (limit != null) {
        rows.append("| ")
            .append(
                String.join(
                    " | ",
                    job.title(),
                    ReportTable.seconds(job.ownMs().stockMedian()),
                    ReportTable.seconds(job.ownMs().hotTubMedian()),
                    ReportTable.seconds(Double.parseDouble(limit))))
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

  private static String conditions(Properties facts) {
    StringBuilder text = new StringBuilder();
    text.append("\n## What was run\n\n");
    text.append(
        String.format(
            Locale.ROOT,
            "Hadoop %s, Spark %s, Tez %s; stock JDK %s, HotTub home %s (HotTub %s, commit %s); %s,"
                + " %s cores, %s MB, Linux %s; %s; %s s in all.%n%n",
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
  More settings of it, for both sides: %s.
- Spark: `spark-submit`, client mode, 2 executors of 1 core; a join and a group-by over %s rows of Parquet in HDFS.
  HotTub: `--conf spark.hottub.enabled=true`, with HotTub's line in `spark-env.sh`.
- Tez: OrderedWordCount of %s bytes; HashJoinExample of the same text with every second line of it. HotTub:
  `-Dtez.hottub.enabled=true`, and the client's `JAVA_HOME`.
- MapReduce: WordCount of the same text, TeraSort of 160,000 records of 100 bytes, DistCp of the text. HotTub:
  `-Dmapreduce.hottub.enabled=true`, and the client's `JAVA_HOME`.
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
            facts.getProperty("cluster_settings"),
            facts.getProperty("rows"),
            facts.getProperty("text_bytes"),
            facts.getProperty("scale"),
            facts.getProperty("tpc_mode")));
    return text.toString();
  }
}
