// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.quickstart;

import io.hottub.report.Sides;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/** All pairs of runs of one job. */
record JobPairs(String name, List<Pair> pairs) {
  /** A run on stock JVMs and the same on HotTub; pair 0 is the warm-up and counts in no median. */
  record Pair(int number, JobRun stock, JobRun hotTub) {
    boolean equalResults() {
      return stock.digest().equals(hotTub.digest());
    }
  }

  /** Of the lines of all jobs; a run whose other side is missing is left out. */
  static List<JobPairs> parse(List<String[]> lines) {
    Map<String, Map<Integer, JobRun[]>> runs = new LinkedHashMap<>();
    for (String[] line : lines) {
      JobRun run = JobRun.parse(line);
      runs.computeIfAbsent(run.job(), j -> new LinkedHashMap<>())
              .computeIfAbsent(run.pair(), p -> new JobRun[2])[run.hotTub() ? 1 : 0] =
          run;
    }
    List<JobPairs> jobs = new ArrayList<>();
    runs.forEach(
        (name, pairs) -> {
          List<Pair> list = new ArrayList<>();
          pairs.forEach(
              (number, pair) -> {
                if (pair[0] != null && pair[1] != null) {
                  list.add(new Pair(number, pair[0], pair[1]));
                }
              });
          jobs.add(new JobPairs(name, list));
        });
    return jobs;
  }

  List<Pair> measured() {
    return pairs.stream().filter(p -> p.number > 0).toList();
  }

  private Sides sides(ToDoubleFunction<JobRun> measure) {
    return new Sides(
        measured().stream().map(Pair::stock).mapToDouble(measure).toArray(),
        measured().stream().map(Pair::hotTub).mapToDouble(measure).toArray());
  }

  Sides wallMs() {
    return sides(JobRun::wallMs);
  }

  Sides cpuMs() {
    return sides(JobRun::cpuMs);
  }

  /** What the job itself counted, without start and end of its JVMs; NaN: it does not count. */
  Sides ownMs() {
    return sides(JobRun::ownMs);
  }

  boolean equalResults() {
    // Not only within a pair: there is one right answer.
    return pairs.stream()
            .flatMap(p -> Stream.of(p.stock.digest(), p.hotTub.digest()))
            .distinct()
            .count()
        == 1;
  }

  boolean fasterInEveryPair() {
    return measured().stream().allMatch(p -> p.hotTub.wallMs() < p.stock.wallMs());
  }

  private int sum(ToIntFunction<JobRun> count) {
    return measured().stream().map(Pair::hotTub).mapToInt(count).sum();
  }

  int containers() {
    return sum(JobRun::containers);
  }

  int containersServed() {
    return sum(JobRun::containersServed);
  }

  int containersWarm() {
    return sum(JobRun::containersWarm);
  }

  int clientJvms() {
    return sum(JobRun::clientJvms);
  }

  int clientWarm() {
    return sum(JobRun::clientWarm);
  }

  String title() {
    return switch (name) {
      case "spark" -> "Spark SQL on YARN";
      case "spark-cluster" -> "Spark SQL on YARN, cluster mode";
      case "tez" -> "Tez OrderedWordCount";
      case "tez-join" -> "Tez HashJoinExample";
      case "mapreduce" -> "MapReduce WordCount";
      case "mapreduce-sort" -> "MapReduce TeraSort";
      case "distcp" -> "DistCp";
      case "hdfs" -> "hdfs dfs -cat, 1 MB";
      default -> name.replace("tpch-q", "TPC-H query ").replace("tpcds-q", "TPC-DS query ");
    };
  }
}
