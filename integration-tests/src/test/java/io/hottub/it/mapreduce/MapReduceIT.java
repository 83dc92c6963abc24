// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.mapreduce;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.it.harness.HadoopJob;
import io.hottub.it.harness.MapReduceOnYarn;
import io.hottub.it.harness.NeedsHome;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** MapReduce in the pool, by one setting of the job. */
@NeedsHome
class MapReduceIT extends MapReduceOnYarn {
  @Test
  void everyJvmOfALaterJobIsWarm() throws Exception {
    Path words = words(2);
    assertWarmAndEqual((pooled, result) -> wordCount(pooled, words, result));
  }

  /** The client may miss some attempts, which are all alike. */
  private List<String> failures(boolean pooled, Path words) throws Exception {
    HadoopJob job = program(pooled, "fail", words, folder().toString());
    assertEquals(1, job.end(), job.log());
    pool.awaitIdle();
    return job.log().lines().filter(line -> line.startsWith("Error: ")).distinct().toList();
  }

  @Test
  void aJobFailsAsOnStockJvms() throws Exception {
    Path words = words(1);
    List<String> stock = failures(false, words);
    assertEquals(List.of("Error: java.io.IOException: as the test wants it"), stock);
    assertEquals(stock, failures(true, words));
  }
}
