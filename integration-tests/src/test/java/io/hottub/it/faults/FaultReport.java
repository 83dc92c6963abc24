// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.faults;

import io.hottub.report.Stats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a campaign has found, as a page for people; the single injections go to a table beside it.
 */
final class FaultReport {
  private static final String INTRODUCTION =
      """
# Fault campaign

A real ResourceManager and NodeManager with a pool, and one disturbance after the other. Made by
`integration-tests/campaigns/faults/run`.

**Jobs of MapReduce, Tez and Spark** (word counts, and two tasks of Spark in client mode) are disturbed as a
container's process starts, while two tasks are at work, or as they end: the processes of tasks, masters and drivers,
the pooled JVMs behind them, their keepers and templates, the NodeManager, ZooKeeper, the ResourceManager, the
NodeManager's disk. Two thirds of the jobs ask for clones, a third for reuse. How a job ends (YARN's final status and
number of attempts, the exit status of its client, its result, and what YARN says of the container that was hit) has
to be how the same job has ended on stock JVMs of the same cluster to which the same was done in the same moment. What
no stock JVM has is compared with the nearest: a pooled JVM with the stock JVM, a keeper that is killed or stopped with
its JVM; a template, a keeper that is asked to retire, and ZooKeeper must not be noticed, so the job has to end as an
undisturbed one. A container that was hit as
it ended by itself may also go unnoticed. Timing may lead to several ends, so up to five jobs on stock JVMs are run
before an end counts as wrong. After each job no process, container or lease of it is left, and the NodeManager lives.

**Small runs** of `java`: client, keeper and JVM are disturbed at a system call that the seed chooses among all that
they make for a run (with ptrace: killed, stopped, or the call fails). The run's exit status, output and number of runs
have to be those of a stock JVM: complete, or killed by a signal that would have killed a stock JVM too.

After each of both, small runs go on until the pool serves one. At the end idle JVMs retire, those of jobs because
they are asked to, and no process may be left.

Clocks jump by an hour to 30 days, ahead or back, and then the other way: the wall clock that a process asks (its own
copy of the vdso is changed; its monotonic clock stays). No jump may cost a JVM: the same one has to serve before and
after. The times of files stay true, and so does the clock of processes that start after the jump.

Not among the faults: a ResourceManager whose clock jumps, calls of the JVM that fail, keepers that speak the protocol
but lie.

""";

  /** Of kinds that have no other. */
  private static final String SMALL_RUNS = "small runs";

  static final String CONTAINERS = "small runs in containers, and their NodeManager";
  static final String ZOOKEEPER = "ZooKeeper under small runs";

  private static final Set<String> AIMS =
      Set.of(
          CONTAINERS,
          ZOOKEEPER,
          JobFaultKinds.PROCESSES,
          JobFaultKinds.ENDED_BY_YARN,
          JobFaultKinds.NODE_MANAGER,
          JobFaultKinds.ZOOKEEPER);

  private final long seed;
  private final int planned;
  private final long start = System.nanoTime();
  private final List<Entry> entries = new ArrayList<>();
  private final Map<String, String> families = new HashMap<>();
  private final List<Long> left = new ArrayList<>();
  private StockEnds stock;
  private int stockRuns;
  private boolean finished;
  private long begun;

  /**
   * @param planned so many injections are to come
   */
  FaultReport(long seed, int planned) {
    this.seed = seed;
    this.planned = planned;
  }

  /** Counts a kind with a family of them. */
  void family(String kind, String family) {
    families.put(kind, family);
  }

  /** The number of the next injection. */
  int next() {
    if (entries.isEmpty()) {
      begun = System.nanoTime();
    }
    return entries.size() + 1;
  }

  /**
   * One injection.
   *
   * @param servingMs time until the pool served again, -1 if it did not
   * @param wrong empty, or what was not as on a stock JVM
   */
  record Entry(int number, String kind, Fault.Injection injection, long servingMs, String wrong) {
    @Override
    public String toString() {
      return "%d\t%s\t%s\t%s\t%s\t%d\t%s"
          .formatted(
              number,
              kind,
              injection.detail(),
              injection.reached() ? "reached" : "not reached",
              injection.end(),
              servingMs,
              wrong.replaceAll("\\s+", " "));
    }
  }

  void add(Entry entry) {
    entries.add(entry);
    double each = (System.nanoTime() - begun) / 60e9 / entries.size();
    System.out.printf(
        "%d of %d, %d wrong, %d min, about %.0f more: %s%n",
        entries.size(),
        planned,
        entries.stream().filter(e -> !e.wrong().isEmpty()).count(),
        minutes(),
        each * (planned - entries.size()),
        entry);
  }

  /** Since the beginning. */
  long minutes() {
    return Duration.ofNanos(System.nanoTime() - start).toMinutes();
  }

  /** Processes that were left after their time. */
  void left(List<Long> pids) {
    left.addAll(pids);
  }

  /** What was compared with. */
  void stock(StockEnds ends, int runs) {
    stock = ends;
    stockRuns = runs;
  }

  /** All was done. */
  void finished() {
    finished = true;
  }

  /** Everything that is not as it should be. */
  List<String> wrong() {
    List<String> all =
        entries.stream()
            .filter(entry -> !entry.wrong().isEmpty())
            .map(Entry::toString)
            .collect(Collectors.toCollection(ArrayList::new));
    if (!finished) {
      all.add("the campaign was not finished");
    }
    if (!left.isEmpty()) {
      all.add("processes left: " + left);
    }
    return all;
  }

  void write(Path file) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.write(
        Path.of(file.toString().replaceAll("[.]md$", "") + ".tsv"),
        entries.stream().map(Entry::toString).toList());
    List<Long> serving = entries.stream().map(Entry::servingMs).filter(ms -> ms >= 0).toList();
    StringBuilder text = new StringBuilder(INTRODUCTION);
    text.append(
        "**%d of %d injections (%d took place), %d wrong; processes left after their time: %s.** Seed %d, %d minutes. "
            .formatted(
                entries.size(),
                planned,
                entries.stream().filter(e -> e.injection().reached()).count(),
                entries.stream().filter(e -> !e.wrong().isEmpty()).count(),
                finished ? Integer.toString(left.size()) : "not looked at",
                seed,
                minutes()));
    if (!serving.isEmpty()) {
      text.append(
          "The pool served again after %.0f ms (median), at most %d ms. "
              .formatted(Stats.median(serving), Collections.max(serving)));
    }
    if (stock != null) {
      text.append("On stock JVMs %d disturbed jobs were run for it.".formatted(stockRuns));
    }
    text.append(
        "%n%n%d of the injections were aimed at processes of jobs, a NodeManager or ZooKeeper.%n"
            .formatted(entries.stream().filter(e -> AIMS.contains(family(e))).count()));
    text.append("\n| family | injections | took place | wrong |\n|---|---:|---:|---:|\n");
    new TreeMap<>(entries.stream().collect(Collectors.groupingBy(this::family)))
        .forEach((family, ofFamily) -> text.append(counts(family, ofFamily)));
    text.append('\n');
    text.append(
        "| fault | injections | took place | ends of the job | wrong | serves again, ms, at most"
            + " |\n");
    text.append("|---|---:|---:|---|---:|---:|\n");
    Map<String, List<Entry>> kinds =
        entries.stream()
            .collect(Collectors.groupingBy(Entry::kind, LinkedHashMap::new, Collectors.toList()));
    new TreeMap<>(kinds).forEach((kind, ofKind) -> text.append(row(kind, ofKind)));
    wrong().forEach(line -> text.append("\nWrong: ").append(line).append('\n'));
    if (stock != null) {
      text.append("\n## What stock JVMs did\n\n| job, fault, moment | ends |\n|---|---|\n");
      stock.all().forEach((key, ends) -> text.append("| %s | %s |%n".formatted(key, list(ends))));
    }
    Files.writeString(file, text);
  }

  private String family(Entry entry) {
    return families.getOrDefault(entry.kind(), SMALL_RUNS);
  }

  private static String counts(String family, List<Entry> entries) {
    return "| %s | %d | %d | %d |%n"
        .formatted(
            family,
            entries.size(),
            entries.stream().filter(entry -> entry.injection().reached()).count(),
            entries.stream().filter(entry -> !entry.wrong().isEmpty()).count());
  }

  private static String list(Map<String, ? extends Number> ends) {
    return ends.entrySet().stream()
        .map(end -> end.getKey() + ": " + end.getValue())
        .collect(Collectors.joining(", "));
  }

  private static String row(String kind, List<Entry> entries) {
    Map<String, Long> ends =
        entries.stream()
            .filter(entry -> entry.wrong().isEmpty())
            .collect(
                Collectors.groupingBy(
                    entry -> entry.injection().end(), TreeMap::new, Collectors.counting()));
    return "| %s | %d | %d | %s | %d | %d |%n"
        .formatted(
            kind,
            entries.size(),
            entries.stream().filter(entry -> entry.injection().reached()).count(),
            list(ends),
            entries.stream().filter(entry -> !entry.wrong().isEmpty()).count(),
            entries.stream().mapToLong(Entry::servingMs).max().orElse(-1));
  }
}
