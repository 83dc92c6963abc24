// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.it.benchmark.RecipeRounds.Start;
import io.hottub.it.benchmark.RecipeRounds.Took;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Recipes;
import io.hottub.it.harness.SparkOnYarn;
import io.hottub.it.harness.SparkRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What recipes bring to a Spark application in cluster mode. Run by {@code
 * integration-tests/benchmarks/recipes}.
 */
@NeedsHome
class RecipeGain extends SparkOnYarn implements RecipeRounds.Bench {
  private static final Duration TRAINED = Duration.ofMinutes(8);

  /** Driver and two executors. */
  private static final int CONTAINERS = 3;

  private Path tables;
  private Path recipes;
  private Path none;
  private String answer;

  @Override
  protected String version() {
    return "3";
  }

  @Override
  public Took run(Start start) throws Exception {
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
    return new Took(wall, query, warm);
  }

  @Override
  public void start(boolean withRecipes) throws Exception {
    node.nodeManager().kill();
    pool.retireAll();
    node.set(Recipes.FOLDER, (withRecipes ? recipes : none).toString());
    node.startNodeManager();
    if (withRecipes) {
      awaitTrained(CONTAINERS, 3, TRAINED);
    }
  }

  private void makeRecipes() throws Exception {
    Path folder = folder();
    SparkRun run = waiting(true, "cluster", folder);
    String driver = recipe(clientOf(process(folder, "driver")));
    String executor = recipe(clientOf(process(folder, "0")));
    Files.createFile(folder.resolve("go"));
    assertEquals(0, run.end(), run.log());
    recipes = Files.createDirectory(pool.work().resolve("recipes"));
    String deadline = "deadline-seconds = 240\n";
    Files.writeString(recipes.resolve("driver.properties"), driver + deadline);
    Files.writeString(
        recipes.resolve("executor.properties"), executor + deadline + "min-idle = 2\n");
  }

  @Test
  void measure() throws Exception {
    tables = folder();
    assertEquals(0, submit(false, "client", "tables", tables.toString()).end());
    makeRecipes();
    none = Files.createDirectory(pool.work().resolve("no-recipes"));
    node.set(Recipes.CPU_PERCENT, "100");
    new RecipeRounds(this, CONTAINERS, 0)
        .measure(
            "Spark 3.5 in cluster mode (driver and two executors), a join with an aggregate over a"
                + " million rows in Parquet; the recipes train with `io.hottub.spark.Trainer`,"
                + " which runs other statements on data of its own. JVMs of `spark-submit` itself"
                + " are warm in the last row only.",
            "`spark-submit`",
            "the query");
  }
}
