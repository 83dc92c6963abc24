// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.quickstart;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

/** {@code report.json}: all that was counted, for other programs. */
final class ReportJson {
  private ReportJson() {}

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

  private static String json(JobRun run) {
    return String.format(
        Locale.ROOT,
        "{\"wall_ms\":%.1f,\"cpu_ms\":%.0f,\"settled\":%b,\"digest\":%s,\"containers\":%d,\"containers_served\":%d,"
            + "\"containers_warm\":%d,\"client_jvms\":%d,\"client_served\":%d,\"client_warm\":%d,\"own_ms\":%s}",
        run.wallMs(),
        run.cpuMs(),
        run.settled(),
        quote(run.digest()),
        run.containers(),
        run.containersServed(),
        run.containersWarm(),
        run.clientJvms(),
        run.clientServed(),
        run.clientWarm(),
        Double.isNaN(run.ownMs()) ? "null" : Long.toString(Math.round(run.ownMs())));
  }

  static String json(List<JobPairs> jobs, Properties facts) {
    List<String> factList = new ArrayList<>();
    facts.stringPropertyNames().stream()
        .sorted()
        .forEach(name -> factList.add(quote(name) + ":" + quote(facts.getProperty(name))));
    List<String> jobList = new ArrayList<>();
    for (JobPairs job : jobs) {
      List<String> pairList = new ArrayList<>();
      for (JobPairs.Pair p : job.pairs()) {
        pairList.add(
            String.format(
                Locale.ROOT,
                "    {\"pair\":%d,\"equal\":%b,%n     \"stock\":%s,%n     \"hottub\":%s}",
                p.number(),
                p.equalResults(),
                json(p.stock()),
                json(p.hotTub())));
      }
      jobList.add(
          String.format(
              Locale.ROOT,
              "  {\"job\":%s,\"stock_wall_ms\":%.1f,\"hottub_wall_ms\":%.1f,\"stock_cpu_ms\":%.0f,\"hottub_cpu_ms\":%.0f,"
                  + "\"containers\":%d,\"containers_served\":%d,\"containers_warm\":%d,\"faster_in_every_pair\":%b,\"equal\":%b,%n"
                  + "   \"pairs\":[%n%s]}",
              quote(job.name()),
              job.wallMs().stockMedian(),
              job.wallMs().hotTubMedian(),
              job.cpuMs().stockMedian(),
              job.cpuMs().hotTubMedian(),
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
}
