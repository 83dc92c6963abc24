// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.quickstart;

import io.hottub.report.Sides;
import io.hottub.report.Stats;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The medians of all jobs: for the terminal, and as cells for the page. */
final class ReportTable {
  static final List<String> HEADINGS =
      List.of(
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
          "results");

  private ReportTable() {}

  static String seconds(double ms) {
    return String.format(
        Locale.ROOT, ms < 1_000 ? "%.3f" : ms < 10_000 ? "%.2f" : "%.1f", ms / 1000);
  }

  private static String share(int part, int whole) {
    return whole == 0 ? "-" : String.format(Locale.ROOT, "%d of %d", part, whole);
  }

  static List<String> cells(JobPairs job) {
    return List.of(
        job.title(),
        seconds(job.wallMs().stockMedian()),
        seconds(job.wallMs().hotTubMedian()),
        job.wallMs().ratioText(),
        seconds(job.cpuMs().stockMedian()),
        seconds(job.cpuMs().hotTubMedian()),
        job.cpuMs().ratioText(),
        share(job.containersWarm(), job.containers()),
        share(job.clientWarm(), job.clientJvms()),
        job.fasterInEveryPair() ? "yes" : "no",
        job.equalResults() ? "equal" : "DIFFER");
  }

  static String table(List<JobPairs> jobs) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEADINGS);
    jobs.forEach(job -> rows.add(cells(job)));
    int[] width = new int[HEADINGS.size()];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        width[i] = Math.max(width[i], row.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        line.append(i == 0 ? "" : "  ");
        line.append(String.format("%" + (i == 0 ? "-" : "") + width[i] + "s", row.get(i)));
      }
      text.append(line.toString().stripTrailing()).append('\n');
      if (row.equals(HEADINGS)) {
        text.append("-".repeat(line.length())).append('\n');
      }
    }
    return text.toString();
  }

  /** What all jobs have in common, when there are enough of them. */
  static List<String> summary(List<JobPairs> jobs) {
    if (jobs.size() <= 3) {
      return List.of();
    }
    return List.of(
        spread("wall", jobs, JobPairs::wallMs),
        spread("CPU", jobs, JobPairs::cpuMs),
        spread("in the application alone", jobs, JobPairs::ownMs));
  }

  private static String spread(
      String what, List<JobPairs> jobs, Function<JobPairs, Sides> measure) {
    double[] ratios =
        jobs.stream()
            .mapToDouble(job -> measure.apply(job).ratio())
            .filter(ratio -> !Double.isNaN(ratio))
            .sorted()
            .toArray();
    return ratios.length == 0
        ? what + ": not counted"
        : String.format(
            Locale.ROOT,
            "%s: median %.2fx, least %.2fx, most %.2fx of %d jobs",
            what,
            Stats.median(ratios),
            ratios[0],
            ratios[ratios.length - 1],
            ratios.length);
  }
}
