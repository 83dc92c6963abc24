// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.tez;

import static java.util.stream.Collectors.joining;

import io.hottub.it.harness.HadoopJob;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.TezOnYarn;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What Tez can do beside counting words. */
@NeedsHome
class TezJobsIT extends TezOnYarn {
  private static final String SESSION = "org.apache.tez.examples.SimpleSessionExample";
  private static final String HASH_JOIN = "org.apache.tez.examples.HashJoinExample";
  private static final String MERGE_JOIN = "org.apache.tez.examples.SortMergeJoinExample";

  /** One application with so many graphs, which all count the same words. */
  private HadoopJob session(boolean pooled, int graphs, Path words, String result)
      throws Exception {
    String outputs =
        IntStream.range(0, graphs).mapToObj(i -> result + "/" + i).collect(joining(","));
    return submit(
        pooled,
        SESSION,
        List.of(),
        String.join(",", Collections.nCopies(graphs, words.toString())),
        outputs,
        "2");
  }

  @Test
  void aSessionOfManyGraphs() throws Exception {
    Path words = words(1);
    assertWarmAndEqual((pooled, result) -> session(pooled, 50, words, result));
  }

  @Test
  void aContainerForEachTask() throws Exception {
    Path words = words(2);
    assertWarmAndEqual(
        (pooled, result) ->
            orderedWordCount(pooled, words, result, "tez.am.container.reuse.enabled=false"));
  }

  @Test
  void joins() throws Exception {
    Path left = words(1);
    Path right = words(2);
    for (String join : List.of(HASH_JOIN, MERGE_JOIN)) {
      assertWarmAndEqual(
          (pooled, result) ->
              submit(pooled, join, List.of(), left.toString(), right.toString(), "2", result));
    }
  }
}
