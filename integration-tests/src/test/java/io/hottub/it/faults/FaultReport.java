// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.faults;

import io.hottub.report.Stats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a campaign has found, as a page for people; the single injections go to a table beside it.
 */
final class FaultReport {
  private static final String INTRODUCTION =
      """
# Fault campaign

A real ResourceManager and NodeManager with a pool, and one disturbance after the other. Client, keeper and JVM are
disturbed at a system call that the seed chooses among all that they make for a run (with ptrace: killed, stopped,
or the call fails). The job's exit status, output and number of runs have to be those of a stock JVM: complete,
or killed by a signal that would have killed a stock JVM too. After each, jobs run until the pool serves one. Made by
`integration-tests/campaigns/faults/run`.

Clocks jump by an hour to 30 days, ahead or back, and then the other way: the wall clock that a process asks (its own
copy of the vdso is changed; its monotonic clock stays). No jump may cost a JVM: the same one has to serve before and
after. The times of files stay true, and so does the clock of processes that start after the jump.

Not among the faults: the ResourceManager (so its clock does not jump either), calls of the JVM that fail, keepers
that speak the protocol but lie.

""";

  private final long seed;
  private final long start = System.nanoTime();
  private final List<Entry> entries = new ArrayList<>();
  private List<Long> left;

  FaultReport(long seed) {
    this.seed = seed;
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
    System.out.println(entry);
  }

  /** The processes that were left at the end. */
  void left(List<Long> pids) {
    left = pids;
  }

  /** Everything that is not as it should be. */
  List<String> wrong() {
    List<String> all =
        entries.stream()
            .filter(entry -> !entry.wrong().isEmpty())
            .map(Entry::toString)
            .collect(Collectors.toCollection(ArrayList::new));
    if (left == null) {
      all.add("the campaign was not finished");
    } else if (!left.isEmpty()) {
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
        "**%d injections (%d took place), %d wrong; processes left after their time: %s.** Seed %d, %d minutes. "
            .formatted(
                entries.size(),
                entries.stream().filter(e -> e.injection().reached()).count(),
                entries.stream().filter(e -> !e.wrong().isEmpty()).count(),
                left == null ? "not looked at" : Integer.toString(left.size()),
                seed,
                (System.nanoTime() - start) / 60_000_000_000L));
    if (!serving.isEmpty()) {
      text.append(
          "The pool served again after %.0f ms (median), at most %d ms.%n%n"
              .formatted(Stats.median(serving), Collections.max(serving)));
    }
    text.append(
        "| fault | injections | took place | ends of the job | wrong | serves again, ms, at most"
            + " |\n");
    text.append("|---|---:|---:|---|---:|---:|\n");
    Map<String, List<Entry>> kinds =
        entries.stream()
            .collect(Collectors.groupingBy(Entry::kind, LinkedHashMap::new, Collectors.toList()));
    new TreeMap<>(kinds).forEach((kind, ofKind) -> text.append(row(kind, ofKind)));
    wrong().forEach(line -> text.append("\nWrong: ").append(line).append('\n'));
    Files.writeString(file, text);
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
            ends.entrySet().stream()
                .map(end -> end.getKey() + ": " + end.getValue())
                .collect(Collectors.joining(", ")),
            entries.stream().filter(entry -> !entry.wrong().isEmpty()).count(),
            entries.stream().mapToLong(Entry::servingMs).max().orElse(-1));
  }
}
