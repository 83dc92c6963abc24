// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.SparkOnYarn;
import io.hottub.it.harness.SparkRun;
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
import org.junit.jupiter.api.Test;

/**
 * What recipes bring: a Spark application in cluster mode is the first of its kind on a node that
 * has just started, without recipes, and with JVMs that another program has trained; before and
 * after it stock JVMs, and JVMs that have run the application before. Run by {@code
 * integration-tests/benchmarks/recipes}.
 */
@NeedsHome
class RecipeGain extends SparkOnYarn {
  private static final int ROUNDS = Integer.getInteger("hottub.gain.rounds", 5);
  private static final Path REPORT =
      Path.of(System.getProperty("hottub.gain.report", "target/recipes.md"));
  private static final String RECIPES = "yarn.nodemanager.aux-services.hottub.recipes";
  private static final Duration TRAINED = Duration.ofMinutes(8);

  /** Driver and two executors. */
  private static final int CONTAINERS = 3;

  private enum Start {
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
   * One application.
   *
   * @param wall of {@code spark-submit}, ms
   * @param query of the query within it, ms
   * @param warm its containers that had a warm JVM
   */
  private record Took(long wall, long query, int warm) {}

  private Path tables;
  private String answer;

  @Override
  protected String version() {
    return "3";
  }

  private Took run(Start start) throws Exception {
    int former = journalled();
    long begin = System.nanoTime();
    SparkRun run = submit(start != Start.STOCK, "cluster", "query", tables.toString());
    assertEquals(0, run.end(), run.log());
    long wall = (System.nanoTime() - begin) / 1_000_000;
    pool.awaitIdle();
    String seen = Files.readString(tables.resolve("answer"));
    answer = answer == null ? seen : answer;
    assertEquals(answer, seen, start.title);
    List<String> served = served(former);
    int warm =
        Collections.frequency(served, DRIVER + " warm")
            + Collections.frequency(served, EXECUTOR + " warm");
    long query = Long.parseLong(Files.readString(tables.resolve("millis")));
    System.out.printf("%s: %d ms, query %d ms, %d warm%n", start.title, wall, query, warm);
    return new Took(wall, query, warm);
  }

  /** A node that has just started, with an empty pool. */
  private void restart(String recipes) throws Exception {
    node.nodeManager().kill();
    pool.retireAll();
    node.set(RECIPES, recipes);
    node.startNodeManager();
  }

  private Path recipes() throws Exception {
    Path folder = folder();
    SparkRun run = waiting(true, "cluster", folder);
    String driver = recipe(clientOf(process(folder, "driver")));
    String executor = recipe(clientOf(process(folder, "0")));
    Files.createFile(folder.resolve("go"));
    assertEquals(0, run.end(), run.log());
    Path recipes = Files.createDirectory(pool.work().resolve("recipes"));
    String deadline = "deadline-seconds = 240\n";
    Files.writeString(recipes.resolve("driver.properties"), driver + deadline);
    Files.writeString(
        recipes.resolve("executor.properties"), executor + deadline + "min-idle = 2\n");
    return recipes;
  }

  @Test
  void measure() throws Exception {
    tables = folder();
    assertEquals(0, submit(false, "client", "tables", tables.toString()).end());
    Path recipes = recipes();
    Path none = Files.createDirectory(pool.work().resolve("no-recipes"));
    node.set("yarn.nodemanager.aux-services.hottub.recipe-cpu-percent", "100");
    Map<Start, List<Took>> all = new EnumMap<>(Start.class);
    for (int round = 0; round <= ROUNDS; round++) {
      Map<Start, Took> took = new EnumMap<>(Start.class);
      restart(none.toString());
      took.put(Start.STOCK, run(Start.STOCK));
      took.put(Start.FIRST, run(Start.FIRST));
      restart(recipes.toString());
      awaitTrained(CONTAINERS, 3, TRAINED);
      took.put(Start.TRAINED, run(Start.TRAINED));
      took.put(Start.AGAIN, run(Start.AGAIN));
      if (round > 0) {
        took.forEach((start, t) -> all.computeIfAbsent(start, s -> new ArrayList<>()).add(t));
      }
    }
    Files.createDirectories(REPORT.toAbsolutePath().getParent());
    Files.writeString(REPORT, report(all));
    System.out.print(Files.readString(REPORT));
    all.get(Start.FIRST).forEach(t -> assertEquals(0, t.warm()));
    all.get(Start.TRAINED).forEach(t -> assertEquals(CONTAINERS, t.warm()));
    all.get(Start.AGAIN).forEach(t -> assertEquals(CONTAINERS, t.warm()));
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

  private static String report(Map<Start, List<Took>> all) throws IOException {
    StringBuilder text =
        new StringBuilder(
            """
# The first application on a node, with and without recipes

%s, %d cores of %s, JDK %s. Spark 3.5 in cluster mode (driver and two executors), a join with an aggregate over a million rows in Parquet; the recipes
train with `io.hottub.spark.Trainer`, which runs other statements on data of its own. %d rounds after one that is
not counted; medians, in parentheses the least and the most. JVMs of `spark-submit` itself are warm in the last row only. Made by `integration-tests/benchmarks/recipes`.

| | `spark-submit` | the query | warm JVMs | |
|---|---:|---:|---:|---|
"""
                .formatted(
                    LocalDate.now(ZoneOffset.UTC),
                    Runtime.getRuntime().availableProcessors(),
                    valueIn(Path.of("/proc/cpuinfo"), "model name\\s*: "),
                    valueIn(Home.path().resolve("release"), "JAVA_RUNTIME_VERSION="),
                    ROUNDS));
    long longest =
        all.values().stream().flatMap(List::stream).mapToLong(Took::wall).max().orElse(1);
    all.forEach(
        (start, runs) -> {
          List<Long> walls = runs.stream().map(Took::wall).toList();
          List<Long> queries = runs.stream().map(Took::query).toList();
          text.append(
              String.format(
                  Locale.ROOT,
                  "| %s | %s | %s | %d of %d | %s |%n",
                  start.title,
                  spread(walls),
                  spread(queries),
                  runs.get(0).warm(),
                  CONTAINERS,
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
