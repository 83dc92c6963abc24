// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.tez;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.HadoopJob;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.TezGates;
import io.hottub.it.harness.TezOnYarn;
import io.hottub.it.harness.TimelineServer;
import io.hottub.it.harness.YarnNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What Tez can do beside counting words. */
@NeedsHome
@Tag("long")
class TezJobsIT extends TezOnYarn {
  private static final String SESSION = "org.apache.tez.examples.SimpleSessionExample";
  private static final String HASH_JOIN = "org.apache.tez.examples.HashJoinExample";
  private static final String MERGE_JOIN = "org.apache.tez.examples.SortMergeJoinExample";

  /** Longer than a session of the tests keeps a container that it need not hold. */
  private static final int HELD_MS = 5_000;

  @Override
  protected String nodeManagerClassPath() throws Exception {
    return withShuffleService();
  }

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
    assertWarmAndEqual(
        (pooled, result) -> {
          HadoopJob job = session(pooled, 50, words, result);
          assertEquals(0, job.end(), job.log());
          assertEquals(50, history(job).graphs());
          return job;
        });
  }

  @Test
  void aSessionBySetting() throws Exception {
    Path words = words(2);
    assertWarmAndEqual(
        (pooled, result) -> {
          HadoopJob job = orderedWordCount(pooled, words, result, "tez.am.mode.session=true");
          assertEquals(0, job.end(), job.log());
          assertTrue(job.log().contains("Session mode"), job.log());
          return job;
        });
  }

  private int containers(HadoopJob job) throws Exception {
    return report(job).getApplicationResourceUsageReport().getNumUsedContainers();
  }

  @Test
  void containersThatAreWarmedAndHeld() throws Exception {
    assertWarmAndEqual(
        (pooled, result) -> {
          TezGates gates = gates();
          gates.open("first", "second");
          HadoopJob job =
              program(
                  pooled,
                  gates,
                  result,
                  List.of(2, 2, 2),
                  List.of(
                      "tez.am.session.min.held-containers=2",
                      "tez.am.container.idle.release-timeout-min.millis=500",
                      "tez.am.container.idle.release-timeout-max.millis=1000"));
          gates.awaitWarmed();
          Thread.sleep(HELD_MS);
          assertEquals(3, containers(job), "those that are held, and the master");
          gates.open("graph");
          assertEquals(0, job.end(), job.log());
          assertEquals(
              2, history(job).containers().size(), "the graph ran where nothing had to start");
          return job;
        });
  }

  @Test
  void aContainerForEachTask() throws Exception {
    Path words = words(2);
    assertWarmAndEqual(
        (pooled, result) ->
            orderedWordCount(pooled, words, result, "tez.am.container.reuse.enabled=false"));
  }

  /** Of two attempts at a task, the first waits for a leave that never comes. */
  private Set<String> slowAttempt(boolean pooled, String result) throws Exception {
    TezGates gates = gates();
    gates.open("first-1", "first-2", "first-0-1", "second");
    HadoopJob job =
        program(
            pooled,
            gates,
            result,
            List.of(3, 1),
            List.of(
                "tez.am.speculation.enabled=true",
                // Nothing waits for the slow task but what needs it.
                "tez.shuffle-vertex-manager.min-src-fraction=1",
                "tez.shuffle-vertex-manager.max-src-fraction=1"));
    assertEquals(0, job.end(), job.log());
    assertTrue(gates.attempts().contains("first-0-1"), "" + gates.attempts());
    return history(job).losses();
  }

  /** Tez puts the second attempt on another node, or nowhere. */
  @Test
  void aSecondAttemptWins() throws Exception {
    Pool itsPool = new Pool();
    YarnNode other = nodeForOneTask(itsPool);
    try {
      Path stock = folder();
      Set<String> losses = slowAttempt(false, stock.toString());
      assertEquals(1, losses.size(), losses::toString);
      assertTrue(losses.toString().contains("TERMINATED_EFFECTIVE_SPECULATION"), "" + losses);
      for (int time = 0; time < 3; time++) {
        Path result = folder();
        assertEquals(losses, slowAttempt(true, result.toString()));
        assertEquals(lines(stock), lines(result));
        pool.awaitIdle();
        itsPool.awaitIdle();
      }
    } finally {
      itsPool.retireAll();
      other.close();
      itsPool.close();
    }
    Path words = words(2);
    assertWarmAndEqual((pooled, result) -> orderedWordCount(pooled, words, result));
  }

  @Test
  void theTimelineServerHearsTheSame() throws Exception {
    TimelineServer timeline = TimelineServer.start(node);
    Path words = words(2);
    List<String> settings = new ArrayList<>(TimelineServer.SETTINGS);
    settings.add(withJobJar());
    List<Map<String, Integer>> heard = new ArrayList<>();
    assertWarmAndEqual(
        (pooled, result) -> {
          HadoopJob job = orderedWordCount(pooled, words, result, settings.toArray(String[]::new));
          assertEquals(0, job.end(), job.log());
          awaitEnd(job);
          heard.add(timeline.ends(job.id()));
          return job;
        });
    assertEquals(1, heard.get(0).get("TEZ_DAG_ID SUCCEEDED"), heard::toString);
    assertEquals(1, heard.stream().distinct().count(), heard::toString);
  }

  @Test
  void outputsAreFetchedFromTheShuffleService() throws Exception {
    Path words = words(2);
    List<Long> fetches = new ArrayList<>();
    assertWarmAndEqual(
        (pooled, result) -> {
          HadoopJob job =
              orderedWordCount(pooled, words, result, "tez.runtime.optimize.local.fetch=false");
          assertEquals(0, job.end(), job.log());
          assertEquals(0, history(job).counter("SHUFFLE_BYTES_DISK_DIRECT"));
          fetches.add(history(job).counter("SHUFFLE_BYTES"));
          return job;
        });
    assertNotEquals(0, fetches.get(0));
    assertEquals(1, fetches.stream().distinct().count(), fetches::toString);
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
