// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.mapreduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.MapReduceOnYarn;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Recipes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Recipes that are made of running containers, and train the JVMs of the node's first job. */
@NeedsHome
@Tag("long")
class MapReduceRecipeIT extends MapReduceOnYarn {
  private static final Duration TRAINED = Duration.ofMinutes(8);
  private static final String SHORT = "runs = 1\ndeadline-seconds = 400\n";

  @Test
  void everyContainerOfTheFirstJobIsWarm() throws Exception {
    Path words = words(1);
    Submission count = (pooled, result) -> wordCount(pooled, words, result);
    String stock = result(false, count);
    Map<String, String> recipes = recipesOf(count);

    // The reducer may come before the JVM of the mapper is reset.
    String task = recipes.get(task()) + SHORT + "min-idle = 2\n";
    startAnew(Map.of("master", recipes.get(master()) + SHORT, "task", task));
    Recipes.awaitTrained(node, pool, 3, 1, TRAINED);
    Path output = pool.userFolder().resolve("recipes/master.log");
    assertTrue(Files.readString(output).contains("by an application master"), output.toString());

    assertEquals(
        List.of(task() + " warm", task() + " warm", master() + " warm"),
        served(stock, count).stream().sorted().toList(),
        pool::logs);
  }
}
