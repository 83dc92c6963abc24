// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.campaign;

import io.hottub.report.Stats;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/** What the campaign of clones has found, as a page for people. */
final class ClonesReport {
  private final long seed;
  private final String machine;
  private final String versions;
  private final long beganNs = System.nanoTime();

  ClonesReport(long seed, String machine, String versions) {
    this.seed = seed;
    this.machine = machine;
    this.versions = versions;
  }

  String text(
      Map<String, Clones.Tally> kinds,
      Map<CloneVictim, CloneKills.Tally> victims,
      int wrong,
      int crashes,
      int left) {
    StringBuilder rows = new StringBuilder();
    kinds.forEach((kind, tally) -> rows.append(row(kind, tally)));
    StringBuilder kills = new StringBuilder();
    victims.forEach((victim, tally) -> kills.append(row(victim, tally)));
    return """
# Clones: campaign

Ten programs in clones, in an order that a seed decides: small ones, javac, ends of every kind, threads and timers that
are busy when the run ends, garbage, and every source of randomness. A template is trained with six runs, half of them
with busy threads, and serves at most %d runs in sequence and its part of the bursts, %d runs at once. Wrong: exit
status, standard output, standard error or files are not those of the stock JDK, a run lasts longer than %d s, or it
draws what another has drawn. Made by `integration-tests/campaigns/clones/run`.

**%d runs in sequence and %d in bursts, %d kills: %d wrong; %d reports of crashes; %d processes left.** Seed %d, %d minutes.

| JVM | templates | in sequence | in bursts | in clones | of them draw | in reuse | cold | wrong | median, ms |
|---|---:|---:|---:|---:|---:|---:|---|---:|---:|
%s
In reuse: no template had come of the training. Median: wall time of the runs in clones, those of bursts among them; on
a busy machine, not a benchmark.

## Kills

One run after the other. A process is killed with SIGKILL at some moment, which the seed decides: while a run goes on,
with a template and a clone that is ready, or in a pool of which all was killed before, at most three runs ago, as its
first JVM starts, serves, is reset and becomes a template. A run may end by SIGKILL if its own JVM, that JVM's keeper or
its client was killed, with the beginning of what it writes, as a stock JVM that is killed. Every other run has to be as
on the stock JDK. A keeper and its JVM have to end together, and the clone of a run with it. After each kill small
programs run, one after the other, until there are a template and a clone that is ready again. Some of these runs may be
cold; each has to be right.

Served: from the kill until main of the next warm run is entered, in a clone or in a JVM that has served a run before;
the rest of the run that was on its way is in it. Without: the longest time without a warm run until all is as before.

| killed | kills | runs complete | runs killed | cold runs after it | served, ms: median | p99 | max | without, ms: median | p99 | max | above %d s | wrong |
|---|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|
%s
Wrong is also a pool that serves no warm run for %d s.

- Machine: %s.
- Versions: %s.
"""
        .formatted(
            Clones.RUNS_OF_A_TEMPLATE,
            Clones.BURST,
            CloneRuns.LONGEST_RUN_S,
            sum(kinds.values(), t -> t.sequence),
            sum(kinds.values(), t -> t.inBursts),
            sum(victims.values(), t -> t.kills),
            wrong,
            crashes,
            left,
            seed,
            (System.nanoTime() - beganNs) / 60_000_000_000L,
            rows,
            CloneKills.SERVING_MS / 1000,
            kills,
            CloneKills.LONGEST_SERVING_MS / 1000,
            machine,
            versions);
  }

  private static <T> int sum(Collection<T> tallies, ToIntFunction<T> count) {
    return tallies.stream().mapToInt(count).sum();
  }

  private static String row(String kind, Clones.Tally t) {
    return "| %s | %d | %d | %d | %d | %d | %d | %s | %d | %s |%n"
        .formatted(
            kind,
            t.templates,
            t.sequence,
            t.inBursts,
            t.clones,
            t.draws,
            t.reused,
            counts(t.cold),
            t.wrong,
            t.ms.isEmpty() ? "" : "%.0f".formatted(Stats.median(t.ms)));
  }

  private static String row(CloneVictim victim, CloneKills.Tally t) {
    return "| %s | %d | %d | %d | %s | %s | %s | %d | %d |%n"
        .formatted(
            victim,
            t.kills,
            t.complete,
            t.killed,
            counts(t.cold),
            times(t.served),
            times(t.without),
            t.without.stream().filter(ms -> ms > CloneKills.SERVING_MS).count(),
            t.wrong);
  }

  private static String counts(Map<String, Integer> words) {
    return words.entrySet().stream()
        .map(e -> e.getValue() + " " + e.getKey())
        .collect(Collectors.joining(", "));
  }

  private static String times(List<Long> ms) {
    if (ms.isEmpty()) {
      return " | | ";
    }
    double[] all = ms.stream().mapToDouble(Long::doubleValue).toArray();
    return "%.0f | %.0f | %d"
        .formatted(Stats.median(ms), Stats.quantile(all, 0.99), Collections.max(ms));
  }
}
