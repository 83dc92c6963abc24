// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.quickstart;

import io.hottub.report.BarChart;
import io.hottub.report.Tsv;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

/**
 * The quickstart's report: reads {@code results.tsv} and {@code facts.properties} of a folder,
 * prints the table, and writes {@code report.md}, {@code report.json} and {@code chart.svg} beside
 * them. Exit status 1: results differ.
 */
public final class Report {
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
    List<JobPairs> jobs = JobPairs.parse(Tsv.read(folder.resolve("results.tsv")));
    Files.writeString(folder.resolve("chart.svg"), svg(jobs, facts));
    Files.writeString(folder.resolve("report.json"), ReportJson.json(jobs, facts));
    Files.writeString(folder.resolve("report.md"), ReportPage.markdown(jobs, facts));
    System.out.println();
    System.out.print(ReportTable.table(jobs));
    ReportTable.summary(jobs).forEach(System.out::println);
    System.out.println();
    if (!jobs.stream().allMatch(JobPairs::equalResults)) {
      System.err.println("quickstart: the results on HotTub and on stock JVMs differ");
      System.exit(1);
    }
  }

  static String svg(List<JobPairs> jobs, Properties facts) {
    BarChart chart =
        new BarChart(
            "HotTub against stock JVMs",
            List.of("wall time of the command", "CPU time of all its processes"),
            ms -> ReportTable.seconds(ms) + " s");
    jobs.forEach(job -> chart.add(job.title(), job.wallMs(), job.cpuMs()));
    return chart.svg(
        String.format(
            "medians of %s pairs after a warm-up; dots: single runs. Hadoop %s, Spark %s, Tez %s,"
                + " JDK %s, %s cores",
            facts.getProperty("pairs"),
            facts.getProperty("hadoop"),
            facts.getProperty("spark"),
            facts.getProperty("tez"),
            facts.getProperty("jdk"),
            facts.getProperty("cores")));
  }
}
