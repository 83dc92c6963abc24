// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.it.benchmark.RecipeRounds.Start;
import io.hottub.it.benchmark.RecipeRounds.Took;
import io.hottub.it.harness.MapReduceOnYarn;
import io.hottub.it.harness.NeedsHome;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What recipes bring to a job of MapReduce. Run by {@code integration-tests/benchmarks/recipes}.
 */
@NeedsHome
class MapReduceRecipeGain extends MapReduceOnYarn implements RecipeRounds.Bench {
  /** The master, a map and a reducer. */
  private static final int CONTAINERS = 3;

  private Submission job;
  private String answer;

  @Override
  public Took run(Start start) throws Exception {
    Timed timed = timed(start != Start.STOCK, job);
    assertEquals(answer, timed.result(), start.title);
    return new Took(timed.millis(), 0, timed.warm());
  }

  @Test
  void measure() throws Exception {
    Path words = words(1);
    job = (pooled, result) -> wordCount(pooled, words, result);
    answer = result(false, job);
    String deadline = "deadline-seconds = 240\n";
    Map<String, String> made = recipesOf(job);
    Map<String, String> recipes =
        Map.of(
            "master",
            made.get(master()) + deadline,
            "task",
            made.get(task()) + deadline + "min-idle = 2\n");
    new RecipeRounds(this, node, pool, CONTAINERS, 1)
        .measure(
            recipes,
            "MapReduce of Hadoop 3.4.3, WordCount over 2,000 words (application master, a map, a"
                + " reducer); the recipes train with `io.hottub.mapreduce.Trainer`. The client is a"
                + " stock JVM in all rows.",
            "the job",
            "");
  }
}
