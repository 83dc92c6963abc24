// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.mapreduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.HadoopJob;
import io.hottub.it.harness.MapReduceOnYarn;
import io.hottub.it.harness.NeedsHome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** MapReduce in the pool, by one setting of the job. */
@NeedsHome
class MapReduceIT extends MapReduceOnYarn {
  /**
   * With Hadoop's libhadoop.so, which a job finds by Hadoop's defaults, also for what maps write.
   */
  @Test
  void everyJvmOfALaterJobIsWarm() throws Exception {
    Path words = words(2);
    String compress = "mapreduce.map.output.compress=true";
    List<HadoopJob> jobs = new ArrayList<>();
    assertWarmAndEqual(
        (pooled, result) -> {
          jobs.add(program(pooled, "native", words, result, compress));
          return jobs.get(jobs.size() - 1);
        });
    assertMeasureThemselves(jobs);
  }

  /** Of all tasks, as the client prints it at the end. */
  private static long counter(HadoopJob job, String name) throws Exception {
    Matcher line = Pattern.compile("\\s" + Pattern.quote(name) + "=(\\d+)").matcher(job.log());
    assertTrue(line.find(), job.log());
    return Long.parseLong(line.group(1));
  }

  /** Tasks look below {@code /proc} for the pid that YARN has told them; the first job is stock. */
  private static void assertMeasureThemselves(List<HadoopJob> jobs) throws Exception {
    long stock = counter(jobs.get(0), "Physical memory (bytes) snapshot");
    for (HadoopJob job : jobs) {
      long memory = counter(job, "Physical memory (bytes) snapshot");
      assertTrue(memory > stock / 2 && memory < stock * 2, memory + ", stock " + stock);
      assertTrue(counter(job, "CPU time spent (ms)") > 0, job.log());
    }
  }

  /** The client may miss some attempts, which are all alike. */
  private List<String> failures(boolean pooled, Path words) throws Exception {
    HadoopJob job = program(pooled, "fail", words, folder().toString());
    assertEquals(1, job.end(), job.log());
    pool.awaitIdle();
    return job.log().lines().filter(line -> line.startsWith("Error: ")).distinct().toList();
  }

  @Tag("long")
  @Test
  void aJobFailsAsOnStockJvms() throws Exception {
    Path words = words(1);
    List<String> stock = failures(false, words);
    assertEquals(List.of("Error: java.io.IOException: as the test wants it"), stock);
    assertEquals(stock, failures(true, words));
  }
}
