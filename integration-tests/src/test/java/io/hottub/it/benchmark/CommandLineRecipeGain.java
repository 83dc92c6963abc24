// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.it.benchmark.RecipeRounds.Start;
import io.hottub.it.benchmark.RecipeRounds.Took;
import io.hottub.it.harness.HadoopHome;
import io.hottub.it.harness.Hdfs;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Recipes;
import io.hottub.it.harness.ServedRuns;
import io.hottub.it.harness.YarnNode;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * What the recipe of the tarball brings to a command of Hadoop's command line. Run by {@code
 * integration-tests/benchmarks/recipes}.
 */
@NeedsHome
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommandLineRecipeGain implements RecipeRounds.Bench {
  private static final String COMMAND = "hdfs dfs -ls /";

  private Pool pool;
  private YarnNode node;
  private HadoopHome hadoop;
  private int starts;

  @BeforeAll
  void startCluster() throws Exception {
    pool = new Pool();
    node = new YarnNode(pool.root(), Home.path());
    Hdfs.start(node);
    node.startResourceManager();
    node.startNodeManager();
    hadoop = new HadoopHome(node, pool);
    assertEquals(0, hadoop.run("hdfs dfs -mkdir -p /tmp /user").status());
  }

  @AfterAll
  void stopCluster() throws Exception {
    pool.retireAll();
    node.close();
    pool.close();
  }

  @Override
  public Took run(Start start) throws Exception {
    if (start == Start.STOCK) {
      hadoop.removeHotTub();
    } else {
      hadoop.installHotTub();
    }
    int former = ServedRuns.journalled(pool);
    long begin = System.nanoTime();
    Outcome outcome = pool.start(hadoop.builder(COMMAND)).await();
    long millis = (System.nanoTime() - begin) / 1_000_000;
    assertEquals(0, outcome.status(), outcome.toString());
    assertEquals(3, outcome.out().lines().count(), outcome.toString());
    pool.awaitIdle();
    long warm =
        ServedRuns.since(pool, former).stream().filter(run -> run.endsWith(" warm")).count();
    return new Took(millis, 0, (int) warm);
  }

  @Override
  public void startAnew(Map<String, String> recipes) throws Exception {
    starts++;
    Recipes.replace(node, pool, pool.work().resolve("recipes-" + starts), recipes);
    node.startNodeManager();
  }

  @Test
  void measure() throws Exception {
    new RecipeRounds(this, node, pool, 1, 0)
        .measure(
            Map.of("hdfs-ls", hadoop.recipe()),
            "`"
                + COMMAND
                + "` of Hadoop 3.4.3; the recipe is that of the tarball, `hdfs-ls`, with its own"
                + " number of runs.",
            "the command",
            "");
  }
}
