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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What recipes bring to a Spark application in cluster mode. Run by {@code
 * integration-tests/benchmarks/recipes}.
 */
@NeedsHome
class RecipeGain extends SparkOnYarn implements RecipeRounds.Bench {
  /** Driver and two executors. */
  private static final int CONTAINERS = 3;

  private Path tables;
  private int starts;
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
  public void startAnew(Map<String, String> recipes) throws Exception {
    starts++;
    Recipes.replace(node, pool, pool.work().resolve("recipes-" + starts), recipes);
    node.startNodeManager();
  }

  private Map<String, String> makeRecipes() throws Exception {
    Path folder = folder();
    SparkRun run = waiting(true, "cluster", folder);
    String driver = recipe(clientOf(process(folder, "driver")));
    String executor = recipe(clientOf(process(folder, "0")));
    Files.createFile(folder.resolve("go"));
    assertEquals(0, run.end(), run.log());
    String deadline = "deadline-seconds = 240\n";
    return Map.of("driver", driver + deadline, "executor", executor + deadline + "min-idle = 2\n");
  }

  @Test
  void measure() throws Exception {
    tables = folder();
    assertEquals(0, submit(false, "client", "tables", tables.toString()).end());
    Map<String, String> recipes = makeRecipes();
    new RecipeRounds(this, node, pool, CONTAINERS, 0)
        .measure(
            recipes,
            "Spark 3.5 in cluster mode (driver and two executors), a join with an aggregate over a"
                + " million rows in Parquet; the recipes train with `io.hottub.spark.Trainer`,"
                + " which runs other statements on data of its own. JVMs of `spark-submit` itself"
                + " are warm in the last row only.",
            "`spark-submit`",
            "the query");
  }
}
