// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.hive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.HiveOnYarn;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Recipes;
import io.hottub.it.harness.ServedRuns;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Recipes that are made of a session's containers, and train the JVMs of the node's first one. */
@NeedsHome
@Tag("long")
class HiveRecipeIT extends HiveOnYarn {
  private static final Duration TRAINED = Duration.ofMinutes(8);
  private static final String SHORT = "runs = 1\ndeadline-seconds = 400\n";

  @Override
  protected List<String> scripts() {
    return List.of("one-query.sql");
  }

  @Test
  void everyContainerOfTheFirstSessionIsWarm() throws Exception {
    String stock = session(Home.STOCK_JAVA, "").out();
    List<String> recipes = recipesOf(queries);

    startAnew(
        Map.of(
            "master", recipes.get(0) + SHORT, "task", recipes.get(1) + SHORT + "min-idle = 2\n"));
    Recipes.awaitTrained(node, pool, 3, 1, TRAINED);
    Path output = pool.userFolder().resolve("recipes/task.log");
    assertTrue(Files.readString(output).contains("trainer: graph 2 of 2"), output.toString());

    int former = ServedRuns.journalled(pool);
    assertEquals(stock, session(Home.STOCK_JAVA, HOTTUB).out(), pool::logs);
    // In place of the JVMs that the session has, the recipes train others.
    List<String> served =
        served(former).stream().filter(line -> !line.startsWith(Recipes.RUN_JAR)).toList();
    assertEquals(WARM, served, pool::logs);
  }
}
