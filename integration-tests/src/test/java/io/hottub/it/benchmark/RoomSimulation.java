// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.benchmark;

import io.hottub.protocol.RoomRule;
import io.hottub.report.LineChart;
import io.hottub.report.Tsv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Sequences of runs against pools of different sizes: how many runs find a warm JVM, and how many
 * JVMs are started for nothing, by the rule of the pool, by the last use alone, and by somebody who
 * knows the future (Belady, "A study of replacement algorithms for a virtual-storage computer",
 * 1966). No two runs overlap, all JVMs are of one size, and none ends because it was idle.
 */
public final class RoomSimulation {
  private static final int[] SIZES = {4, 8, 12, 16, 24, 32, 48, 64, 96};
  private static final long KB_OF_ONE = 1;

  /**
   * A run.
   *
   * @param ms when it begins
   * @param kind its fingerprint
   */
  record Run(long ms, int kind) {}

  /**
   * What a pool made of a sequence.
   *
   * @param warm share of the runs that found a JVM, percent
   * @param started JVMs for each 100 runs
   */
  record Result(double warm, double started) {}

  /** Decides in a full pool. */
  private interface Policy {
    Result play(List<Run> runs, int size);
  }

  private RoomSimulation() {}

  /**
   * Writes a table and a chart.
   *
   * @param args folder of recorded sequences (NAME.tsv: milliseconds, kind), file of the page, file
   *     of the chart
   */
  public static void main(String[] args) throws IOException {
    Map<String, List<Run>> sequences = new LinkedHashMap<>(synthetic());
    try (Stream<Path> files = Files.list(Path.of(args[0]))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".tsv")).sorted().toList()) {
        String name = file.getFileName().toString().replace(".tsv", "");
        sequences.put("recorded: " + name, recorded(file));
      }
    }
    Map<String, Policy> policies = new LinkedHashMap<>();
    policies.put("optimal", RoomSimulation::optimal);
    policies.put("HotTub", (runs, size) -> online(runs, size, true));
    policies.put("last use", (runs, size) -> online(runs, size, false));
    LineChart chart = new LineChart("JVMs");
    StringBuilder page = new StringBuilder();
    sequences.forEach((name, runs) -> add(name, runs, policies, chart, page));
    Files.writeString(Path.of(args[1]), page);
    Files.writeString(Path.of(args[2]), chart.svg());
  }

  private static void add(
      String name,
      List<Run> runs,
      Map<String, Policy> policies,
      LineChart chart,
      StringBuilder page) {
    long kinds = runs.stream().map(Run::kind).distinct().count();
    String title = "%s (%d runs, %d kinds)".formatted(name, runs.size(), kinds);
    page.append("\n## ").append(title).append("\n\n| JVMs |");
    policies.keySet().forEach(policy -> page.append(" ").append(policy).append(" |"));
    page.append("\n|---:|").append("---:|".repeat(policies.size())).append('\n');
    chart.panel(title);
    Map<String, List<Result>> all = new LinkedHashMap<>();
    for (int size : SIZES) {
      page.append("| ").append(size).append(" |");
      policies.forEach(
          (policy, rule) -> {
            Result result = rule.play(runs, size);
            all.computeIfAbsent(policy, key -> new ArrayList<>()).add(result);
            page.append(String.format(Locale.ROOT, " %.0f (%.0f) |", result.warm, result.started));
          });
      page.append('\n');
    }
    double[] x = java.util.Arrays.stream(SIZES).asDoubleStream().toArray();
    all.forEach(
        (policy, results) ->
            chart.line(policy, x, results.stream().mapToDouble(Result::warm).toArray()));
  }

  // ---- policies

  private static Result result(List<Run> runs, int hits, int started) {
    return new Result(100.0 * hits / runs.size(), 100.0 * started / runs.size());
  }

  /** A JVM in the pool of the simulation. */
  private static final class Warm {
    long used;
    long leases = 1;

    Warm(long used) {
      this.used = used;
    }
  }

  /**
   * Without looking ahead: by the rule of the pool, or, to compare, always for the JVM that was
   * used last long ago.
   */
  private static Result online(List<Run> runs, int size, boolean byRule) {
    Map<Integer, Warm> pool = new HashMap<>();
    Map<Integer, Long> wanted = new HashMap<>();
    int hits = 0;
    int started = 0;
    for (Run run : runs) {
      Warm warm = pool.get(run.kind);
      if (warm != null) {
        warm.used = run.ms;
        warm.leases++;
        hits++;
        continue;
      }
      Optional<List<Integer>> ended =
          byRule ? byRule(pool, size, run, wanted.get(run.kind)) : lastUsed(pool, size);
      if (ended.isEmpty()) {
        wanted.put(run.kind, run.ms);
        continue;
      }
      ended.get().forEach(kind -> wanted.put(kind, pool.remove(kind).used));
      pool.put(run.kind, new Warm(run.ms));
      started++;
    }
    return result(runs, hits, started);
  }

  private static Optional<List<Integer>> byRule(
      Map<Integer, Warm> pool, int size, Run run, Long wanted) {
    List<RoomRule.Jvm> jvms =
        pool.entrySet().stream()
            .map(
                entry ->
                    new RoomRule.Jvm(
                        entry.getKey(),
                        entry.getValue().leases,
                        KB_OF_ONE,
                        run.ms - entry.getValue().used,
                        false))
            .toList();
    long paysOff = wanted == null ? RoomRule.STRANGER_MS : run.ms - wanted;
    return RoomRule.forNewcomer(jvms, size, Long.MAX_VALUE, paysOff)
        .map(ended -> ended.stream().map(jvm -> (int) jvm.keeper()).toList());
  }

  private static Optional<List<Integer>> lastUsed(Map<Integer, Warm> pool, int size) {
    return Optional.of(
        pool.size() < size
            ? List.of()
            : pool.entrySet().stream()
                .min(Comparator.comparingLong(entry -> entry.getValue().used))
                .map(entry -> List.of(entry.getKey()))
                .orElseThrow());
  }

  /** Keeps what is needed soonest; who is needed later than all of them gets no JVM. */
  private static Result optimal(List<Run> runs, int size) {
    int[] next = new int[runs.size()];
    Map<Integer, Integer> following = new HashMap<>();
    for (int i = runs.size() - 1; i >= 0; i--) {
      Integer later = following.put(runs.get(i).kind, i);
      next[i] = later == null ? Integer.MAX_VALUE : later;
    }
    Map<Integer, Integer> pool = new HashMap<>();
    int hits = 0;
    int started = 0;
    for (int i = 0; i < next.length; i++) {
      int kind = runs.get(i).kind;
      if (pool.containsKey(kind)) {
        hits++;
        pool.put(kind, next[i]);
        continue;
      }
      if (pool.size() == size) {
        Map.Entry<Integer, Integer> last =
            pool.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
        if (last.getValue() <= next[i]) {
          continue;
        }
        pool.remove(last.getKey());
      }
      pool.put(kind, next[i]);
      started++;
    }
    return result(runs, hits, started);
  }

  // ---- sequences

  static List<Run> recorded(Path file) throws IOException {
    return Tsv.read(file).stream()
        .filter(field -> !field[0].startsWith("#"))
        .map(field -> new Run(Long.parseLong(field[0]), Integer.parseInt(field[1])))
        .toList();
  }

  private static Map<String, List<Run>> synthetic() {
    Random random = new Random(17);
    Map<String, List<Run>> all = new LinkedHashMap<>();
    List<Run> popular = zipf(random, 3000, 200, 0, 0);
    all.put("some kinds more popular than others", popular);
    all.put("the same 70 programs in the same order", rounds(random, 70, 5, false));
    all.put("the same 70 programs in any order", rounds(random, 70, 5, true));
    List<Run> phases = new ArrayList<>();
    for (int phase = 0; phase < 6; phase++) {
      phases.addAll(zipf(random, 600, 60, 1000 * phase, 1_300_000L * phase));
    }
    all.put("other kinds every 20 minutes", phases);
    List<Run> storm = new ArrayList<>(zipf(random, 2000, 60, 0, 0));
    for (int i = 0; i < 800; i++) {
      storm.add(new Run(1_000_000L + 200L * i, 5000 + i));
    }
    all.put("a storm of 800 kinds that never come again", sorted(storm));
    List<Run> scripts = new ArrayList<>(zipf(random, 2000, 60, 0, 0));
    for (int i = 0; i < 1300; i++) {
      scripts.add(new Run(3000L * i, 9000 + i));
    }
    all.put("among them kinds that come once", sorted(scripts));
    all.put("each kind a few times in a row", bursts(random));
    return all;
  }

  private static List<Run> sorted(List<Run> runs) {
    return runs.stream().sorted(Comparator.comparingLong(Run::ms)).toList();
  }

  /** The time to the next run, in ms, where runs come by chance. */
  private static long pause(Random random, double meanMs) {
    return (long) (-Math.log(1 - random.nextDouble()) * meanMs);
  }

  /** The n-th kind is wanted 1/n as often as the first. */
  private static List<Run> zipf(Random random, int count, int kinds, int firstKind, long beginMs) {
    double[] upTo = new double[kinds];
    double sum = 0;
    for (int i = 0; i < kinds; i++) {
      sum += 1.0 / (i + 1);
      upTo[i] = sum;
    }
    List<Run> runs = new ArrayList<>();
    long at = beginMs;
    for (int i = 0; i < count; i++) {
      at += pause(random, 2000);
      int place = java.util.Arrays.binarySearch(upTo, random.nextDouble() * sum);
      runs.add(new Run(at, firstKind + Math.min(kinds - 1, place < 0 ? -place - 1 : place)));
    }
    return runs;
  }

  private static List<Run> rounds(Random random, int kinds, int rounds, boolean mixed) {
    List<Run> runs = new ArrayList<>();
    List<Integer> order = new ArrayList<>();
    for (int kind = 0; kind < kinds; kind++) {
      order.add(kind);
    }
    for (int round = 0; round < rounds; round++) {
      if (mixed) {
        java.util.Collections.shuffle(order, random);
      }
      for (int kind : order) {
        runs.add(new Run(3000L * runs.size(), kind));
      }
    }
    return runs;
  }

  private static List<Run> bursts(Random random) {
    List<Run> runs = new ArrayList<>();
    long at = 0;
    for (int i = 0; i < 600; i++) {
      int kind = random.nextInt(100);
      int count = 1 + random.nextInt(7);
      for (int n = 0; n < count; n++) {
        at += pause(random, 3000);
        runs.add(new Run(at, kind));
      }
    }
    return runs;
  }
}
