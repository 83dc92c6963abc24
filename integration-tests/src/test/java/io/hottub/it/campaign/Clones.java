// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.campaign;

import io.hottub.it.campaign.CloneRuns.Result;
import io.hottub.it.campaign.CloneRuns.Seen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs programs in clones, one after the other, many at once, and while processes are killed;
 * {@code campaigns/clones/run}.
 */
public final class Clones {
  static final int BURST = 20;

  /** As many runs at most have one template; then another one is trained. */
  static final int RUNS_OF_A_TEMPLATE = 50;

  private static final int TRAINING_RUNS = 6;

  private static final Map<String, String> KINDS =
      new TreeMap<>(
          Map.of(
              "Serial", "-XX:+UseSerialGC",
              "Parallel", "-XX:+UseParallelGC",
              "G1", "-XX:+UseG1GC",
              "interpreter", "-Xint",
              "C1", "-XX:TieredStopAtLevel=1",
              "C2", "-XX:-TieredCompilation"));

  /** What is known of the runs of one kind of JVM. */
  static final class Tally {
    int sequence;
    int inBursts;
    int clones;
    int reused;
    int templates;
    int wrong;
    final Map<String, Integer> cold = new TreeMap<>();
    final List<Long> ms = new ArrayList<>();
    final Map<String, Set<String>> drawn = new HashMap<>();
    int draws;
  }

  private final CloneRuns runs;
  private final ClonePool pool;
  private final CloneFindings findings;
  private final CloneKills kills;
  private final Random random;
  private final Map<String, Tally> tallies = new TreeMap<>();
  private final ExecutorService workers = Executors.newFixedThreadPool(BURST);
  private int left;

  private Clones(
      CloneRuns runs, ClonePool pool, CloneFindings findings, CloneKills kills, long seed) {
    this.runs = runs;
    this.pool = pool;
    this.findings = findings;
    this.kills = kills;
    random = new Random(seed);
  }

  public static void main(String[] args) throws Exception {
    Path home = Path.of(args[0]);
    Path work = Path.of(args[2]);
    long seed = Long.parseLong(args[4]);
    int sequence = Integer.parseInt(args[5]);
    int bursts = Integer.parseInt(args[6]);
    int killed = Integer.parseInt(args[7]);
    Path out = Path.of(args[8]);
    ClonePool pool = new ClonePool(home, work, Path.of(args[3]));
    CloneRuns runs = new CloneRuns(home, Path.of(args[1]), work, pool.root());
    CloneFindings findings = new CloneFindings(pool, out);
    CloneKills kills = new CloneKills(runs, pool, findings, seed, killed);
    Clones clones = new Clones(runs, pool, findings, kills, seed);
    ClonesReport report = new ClonesReport(seed, args[9], args[10]);
    try {
      clones.run(sequence, bursts, killed);
    } finally {
      clones.workers.shutdownNow();
    }
    int crashes = pool.crashes();
    String text =
        report.text(clones.tallies, kills.tallies(), findings.count(), crashes, clones.left);
    System.out.print(text);
    Files.writeString(out.resolve("clones.md"), text);
    System.exit(findings.count() + crashes + clones.left == 0 ? 0 : 1);
  }

  private void run(int sequence, int bursts, int killed) throws Exception {
    int kind = 0;
    for (Map.Entry<String, String> entry : KINDS.entrySet()) {
      String option = entry.getValue();
      Tally tally = new Tally();
      tallies.put(entry.getKey(), tally);
      Map<List<String>, Result> expected = runs.onStock(option);
      int runsLeft = share(sequence, kind);
      int burstsLeft = share(bursts, kind);
      while (runsLeft > 0 || burstsLeft > 0) {
        int size = Math.min(runsLeft, RUNS_OF_A_TEMPLATE);
        int shareOfBursts = size == runsLeft ? burstsLeft : burstsLeft * size / runsLeft;
        trainAndUse(option, tally, expected, size, shareOfBursts);
        runsLeft -= size;
        burstsLeft -= shareOfBursts;
        System.err.printf(
            "clones: %s: %d in sequence, %d in bursts; in clones %d, wrong %d%n",
            entry.getKey(), tally.sequence, tally.inBursts, tally.clones, tally.wrong);
      }
      trainAndKill(entry.getKey(), option, expected, share(killed, kind));
      kind++;
    }
  }

  private static int share(int all, int number) {
    return all / KINDS.size() + (number < all % KINDS.size() ? 1 : 0);
  }

  /** One template: its training, its clones in an order that the seed decides, and its end. */
  private void trainAndUse(
      String option, Tally tally, Map<List<String>, Result> expected, int size, int bursts)
      throws Exception {
    tally.templates++;
    train(option);
    List<Boolean> isBurst = new ArrayList<>();
    for (int i = 0; i < size + bursts; i++) {
      isBurst.add(i >= size);
    }
    Collections.shuffle(isBurst, random);
    for (boolean burst : isBurst) {
      if (burst) {
        burst(option, tally, expected);
      } else {
        tally.sequence++;
        check(tally, runs.run(option, runs.any(random)), expected);
      }
    }
    left += pool.end();
  }

  private void trainAndKill(
      String kind, String option, Map<List<String>, Result> expected, int count) throws Exception {
    if (count == 0) {
      return;
    }
    train(option);
    int before = findings.count();
    kills.kill(option, expected, count);
    left += pool.end();
    System.err.printf("clones: %s: %d kills, wrong %d%n", kind, count, findings.count() - before);
  }

  private void train(String option) throws Exception {
    for (int i = 0; i < TRAINING_RUNS; i++) {
      List<String> busy = List.of("Busy", Integer.toString(20 + random.nextInt(300)));
      runs.run(option, i % 2 == 0 ? busy : runs.any(random));
      ClonePool.await(ClonePool.LONGEST_END_MS, pool::isIdle);
    }
  }

  private void burst(String option, Tally tally, Map<List<String>, Result> expected)
      throws Exception {
    List<Future<Seen>> futures = new ArrayList<>();
    for (int i = 0; i < BURST; i++) {
      List<String> program = runs.any(random);
      futures.add(workers.submit((Callable<Seen>) () -> runs.run(option, program)));
    }
    for (Future<Seen> future : futures) {
      tally.inBursts++;
      check(tally, future.get(), expected);
    }
  }

  private void check(Tally tally, Seen seen, Map<List<String>, Result> expected)
      throws IOException {
    if (seen.trace().inClone()) {
      tally.clones++;
      tally.ms.add(seen.ms());
    } else if (seen.trace().fromPool()) {
      tally.reused++;
    } else {
      tally.cold.merge(seen.trace().reason(), 1, Integer::sum);
    }
    Result stock = expected.get(seen.program());
    String why = seen.result().equals(stock) ? "" : "another result";
    if (seen.program().equals(CloneRuns.DRAWS)) {
      why = drawsAgain(tally, seen.result());
    }
    if (!why.isEmpty()) {
      tally.wrong++;
      findings.add(why, seen, stock);
    }
  }

  /** Empty if it has drawn what no run before has. */
  private static String drawsAgain(Tally tally, Result result) {
    tally.draws++;
    List<String> lines = result.out().lines().toList();
    if (result.status() != 0 || lines.size() != 16) {
      return "not all was drawn";
    }
    for (String line : lines) {
      String[] parts = line.split("=", 2);
      // The numbers of processes come again.
      if (!parts[0].equals("pid")
          && !tally.drawn.computeIfAbsent(parts[0], n -> new HashSet<>()).add(parts[1])) {
        return "drawn before: " + line;
      }
    }
    return "";
  }
}
