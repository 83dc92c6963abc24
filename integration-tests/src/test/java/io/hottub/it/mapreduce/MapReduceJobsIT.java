// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.mapreduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Await;
import io.hottub.it.harness.HadoopJob;
import io.hottub.it.harness.MapReduceOnYarn;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Run;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What MapReduce can do beside counting words. */
@NeedsHome
@Tag("long")
class MapReduceJobsIT extends MapReduceOnYarn {
  private static final String STREAMING = "org.apache.hadoop.streaming.HadoopStreaming";
  private static final String DIST_CP = "org.apache.hadoop.tools.DistCp";

  @Test
  void smallJobsRunInTheirMaster() throws Exception {
    Path words = words(3);
    assertWarmAndEqual(
        (pooled, result) ->
            program(pooled, "words", words, result, "mapreduce.job.ubertask.enable=true"));
  }

  @Test
  void aPartitionerOfTheUser() throws Exception {
    Path words = words(3);
    assertWarmAndEqual((pooled, result) -> program(pooled, "partition", words, result));
  }

  @Test
  void copiesOfDistCp() throws Exception {
    Path words = words(3);
    assertWarmAndEqual(
        (pooled, result) -> submit(pooled, DIST_CP, List.of(), words.toUri().toString(), result));
  }

  private HadoopJob streaming(boolean pooled, Path words, String result, String mapper)
      throws Exception {
    return submit(
        pooled,
        STREAMING,
        List.of("mapreduce.map.maxattempts=1"),
        "-input",
        words.toString(),
        "-output",
        result,
        "-mapper",
        mapper,
        "-reducer",
        "uniq -c");
  }

  /** Not warm: the client packs a new jar for each of these jobs. */
  @Test
  void programsThatAreNoJavaHaveTheSameResult() throws Exception {
    Path words = words(2);
    Submission count = (pooled, result) -> streaming(pooled, words, result, "tr -s ' ' '\\n'");
    assertEquals(result(false, count), result(true, count));
  }

  /** How a mapper that is a shell ends with its application. */
  private void assertShellEnds(boolean pooled) throws Exception {
    Path words = words(1);
    Path pid = Files.createDirectory(folder()).resolve("pid");
    Path script = pid.resolveSibling("mapper.sh");
    Files.writeString(
        script, "echo $$ >" + pid + ".new; mv " + pid + ".new " + pid + "; sleep 600");
    HadoopJob job = streaming(pooled, words, folder().toString(), "sh " + script);
    Await.until("the mapper runs", HadoopJob.LONGEST, () -> Files.exists(pid));
    long shell = Long.parseLong(Files.readString(pid).strip());
    node.client().killApplication(ApplicationId.fromString(job.id()));
    assertNotEquals(0, job.end(), job.log());
    Await.until("the shell has ended", HadoopJob.LONGEST, () -> Run.hasEnded(shell));
  }

  @Test
  void aProgramEndsWithItsMapper() throws Exception {
    assertShellEnds(false);
    assertShellEnds(true);
    pool.awaitIdle();
    Path words = words(2);
    assertWarmAndEqual((pooled, result) -> wordCount(pooled, words, result));
  }

  private void assertSecondAttempt(String mode, String said) throws Exception {
    Path words = words(2);
    assertWarmAndEqual(
        (pooled, result) -> {
          HadoopJob job = program(pooled, mode, words, result);
          assertEquals(0, job.end(), job.log());
          assertTrue(job.log().contains(said), job.log());
          return job;
        });
  }

  @Test
  void attemptsThatFail() throws Exception {
    assertSecondAttempt("fail-once", "as the test wants it");
  }

  @Test
  void attemptsThatExit() throws Exception {
    assertSecondAttempt("exit-once", "FAILED");
  }
}
