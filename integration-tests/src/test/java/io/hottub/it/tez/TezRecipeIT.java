// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.tez;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Recipes;
import io.hottub.it.harness.TezOnYarn;
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
class TezRecipeIT extends TezOnYarn {
  private static final Duration TRAINED = Duration.ofMinutes(8);
  private static final String SHORT = "runs = 1\ndeadline-seconds = 400\n";

  @Test
  void everyContainerOfTheFirstJobIsWarm() throws Exception {
    Path words = words(1);
    Submission count = (pooled, result) -> orderedWordCount(pooled, words, result);
    String stock = result(false, count);
    Map<String, String> recipes = recipesOf(count);

    startAnew(Map.of("master", recipes.get(master()) + SHORT, "task", recipes.get(task()) + SHORT));
    Recipes.awaitTrained(node, pool, 2, 1, TRAINED);
    Path output = pool.userFolder().resolve("recipes/task.log");
    assertTrue(Files.readString(output).contains("trainer: graph 2 of 2"), output.toString());

    assertEquals(
        List.of(master() + " warm", task() + " warm"),
        served(stock, count).stream().sorted().toList(),
        pool::logs);
  }
}
