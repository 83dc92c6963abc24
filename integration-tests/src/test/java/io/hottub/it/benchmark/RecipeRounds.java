// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Recipes;
import io.hottub.it.harness.YarnNode;
import io.hottub.report.Stats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What recipes bring: a job is the first of its kind on a node that has just started, without
 * recipes, and with JVMs that another program has trained; before and after it stock JVMs, and JVMs
 * that have run the job before.
 */
final class RecipeRounds {
  private static final int ROUNDS = Integer.getInteger("hottub.gain.rounds", 5);
  private static final Path REPORT =
      Path.of(System.getProperty("hottub.gain.report", "target/recipes.md"));

  /** So many runs a recipe has by default. */
  private static final int TRAINING_RUNS = 3;

  private static final Duration TRAINED = Duration.ofMinutes(8);

  enum Start {
    STOCK("stock JVMs"),
    FIRST("HotTub, first run on the node"),
    TRAINED("HotTub, first run after the recipes"),
    AGAIN("HotTub, the run after that");

    final String title;

    Start(String title) {
      this.title = title;
    }
  }

  /**
   * One job.
   *
   * @param wall of its client, ms
   * @param part of what is measured within it, ms; 0: nothing
   * @param warm its containers that had a warm JVM
   */
  record Took(long wall, long part, int warm) {}

  /** A node that is started again and again. */
  interface Bench {
    /** Starts the node anew, with an empty pool and these recipes, texts by names. */
    void startAnew(Map<String, String> recipes) throws Exception;

    /** Runs the job, whose result has to be the same each time. */
    Took run(Start start) throws Exception;
  }

  private final Bench bench;
  private final YarnNode node;
  private final Pool pool;
  private final int containers;
  private final int warmWithout;
  private final Map<Start, List<Took>> all = new EnumMap<>(Start.class);

  /**
   * @param node that the bench starts anew, and its pool
   * @param containers of the job, for each of which the recipes make a JVM
   * @param warmWithout so many of them may find the JVM of one before them in the same job
   */
  RecipeRounds(Bench bench, YarnNode node, Pool pool, int containers, int warmWithout) {
    this.bench = bench;
    this.node = node;
    this.pool = pool;
    this.containers = containers;
    this.warmWithout = warmWithout;
  }

  /**
   * Measures, and writes the report.
   *
   * @param recipes texts by names
   * @param about the job and the trainer, as sentences
   * @param client what its users call the client
   * @param part what else is measured; empty: nothing
   */
  void measure(Map<String, String> recipes, String about, String client, String part)
      throws Exception {
    for (int round = 0; round <= ROUNDS; round++) {
      Map<Start, Took> took = new EnumMap<>(Start.class);
      bench.startAnew(Map.of());
      run(took, Start.STOCK);
      run(took, Start.FIRST);
      bench.startAnew(recipes);
      Recipes.awaitTrained(node, pool, containers, TRAINING_RUNS, TRAINED);
      run(took, Start.TRAINED);
      run(took, Start.AGAIN);
      if (round > 0) {
        took.forEach((start, t) -> all.computeIfAbsent(start, s -> new ArrayList<>()).add(t));
      }
    }
    Files.createDirectories(REPORT.toAbsolutePath().getParent());
    Files.writeString(REPORT, report(about, client, part));
    System.out.print(Files.readString(REPORT));
    all.get(Start.FIRST).forEach(t -> assertTrue(t.warm() <= warmWithout, t.toString()));
    all.get(Start.TRAINED).forEach(t -> assertEquals(containers, t.warm()));
    all.get(Start.AGAIN).forEach(t -> assertEquals(containers, t.warm()));
  }

  private void run(Map<Start, Took> took, Start start) throws Exception {
    Took one = bench.run(start);
    System.out.printf("%s: %d ms, %d ms, %d warm%n", start.title, one.wall, one.part, one.warm);
    took.put(start, one);
  }

  private static String valueIn(Path file, String name) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .filter(line -> line.matches(name + ".*"))
          .map(line -> line.replaceFirst(name, "").replace("\"", ""))
          .findFirst()
          .orElse("?");
    }
  }

  private String report(String about, String client, String part) throws IOException {
    String parts = part.isEmpty() ? "" : " " + part + " |";
    StringBuilder text =
        new StringBuilder(
            """
# The first application on a node, with and without recipes

%s, %d cores of %s, JDK %s. %s %d rounds after one that is not counted; medians, in parentheses the least and the most. \
Made by `integration-tests/benchmarks/recipes`.

| | %s |%s warm JVMs | |
|---|---:|%s---:|---|
"""
                .formatted(
                    LocalDate.now(ZoneOffset.UTC),
                    Runtime.getRuntime().availableProcessors(),
                    valueIn(Path.of("/proc/cpuinfo"), "model name\\s*: "),
                    valueIn(Home.path().resolve("release"), "JAVA_RUNTIME_VERSION="),
                    about,
                    ROUNDS,
                    client,
                    parts,
                    part.isEmpty() ? "" : "---:|"));
    long longest =
        all.values().stream().flatMap(List::stream).mapToLong(Took::wall).max().orElse(1);
    all.forEach(
        (start, runs) -> {
          List<Long> walls = runs.stream().map(Took::wall).toList();
          List<Long> within = runs.stream().map(Took::part).toList();
          text.append(
              String.format(
                  Locale.ROOT,
                  "| %s | %s |%s %d of %d | %s |%n",
                  start.title,
                  spread(walls),
                  part.isEmpty() ? "" : " " + spread(within) + " |",
                  runs.get(0).warm(),
                  containers,
                  "█".repeat((int) (30 * Stats.median(walls) / longest))));
        });
    return text.toString();
  }

  private static String spread(List<Long> values) {
    return String.format(
        Locale.ROOT,
        "%.1f s (%.1f to %.1f)",
        Stats.median(values) / 1000.0,
        Collections.min(values) / 1000.0,
        Collections.max(values) / 1000.0);
  }
}
