// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.tez;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.HadoopJob;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.TezOnYarn;
import io.hottub.it.harness.YarnNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tez in the pool, by one setting and with its own defaults. */
@NeedsHome
class TezIT extends TezOnYarn {
  @Override
  protected void configure(YarnNode node) throws Exception {
    super.configure(node);
    // Until all jobs have been run.
    node.set("yarn.nodemanager.log.retain-seconds", "3600");
  }

  /** Tez's own options have the JVMs log their collections and safepoints to standard output. */
  @Test
  void everyJvmOfALaterApplicationIsWarm() throws Exception {
    Path words = words(2);
    List<HadoopJob> jobs = new ArrayList<>();
    assertWarmAndEqual(
        (pooled, result) -> {
          jobs.add(orderedWordCount(pooled, words, result));
          return jobs.get(jobs.size() - 1);
        });
    Set<String> stock = startsOfLogs(jobs.get(0));
    assertTrue(stock.toString().contains("Using Parallel"), stock.toString());
    for (HadoopJob job : jobs) {
      assertEquals(stock, startsOfLogs(job));
    }
    assertMeasureThemselves(jobs);
    assertUsedNativeCode(jobs);
  }

  /** Hadoop's libhadoop.so, which Tez's defaults give all containers. */
  private void assertUsedNativeCode(List<HadoopJob> jobs) throws Exception {
    int logs = 0;
    for (HadoopJob job : jobs) {
      try (Stream<Path> files = Files.walk(node.dir().resolve("logs").resolve(job.id()))) {
        for (Path log :
            files.filter(file -> file.getFileName().toString().startsWith("syslog")).toList()) {
          String text = Files.readString(log);
          assertFalse(text.contains("native-hadoop"), log + ":\n" + text);
          logs++;
        }
      }
    }
    assertTrue(logs > jobs.size(), "logs of masters and tasks: " + logs);
  }

  /** Tasks look below {@code /proc} for the pid that YARN has told them; the first job is stock. */
  private void assertMeasureThemselves(List<HadoopJob> jobs) throws Exception {
    long stock = history(jobs.get(0)).counter("PHYSICAL_MEMORY_BYTES");
    for (HadoopJob job : jobs) {
      long memory = history(job).counter("PHYSICAL_MEMORY_BYTES");
      assertTrue(memory > stock / 2 && memory < stock * 2, memory + ", stock " + stock);
      assertTrue(history(job).counter("CPU_MILLISECONDS") > 0, history(job).toString());
    }
  }

  /** What the containers' logs say of their JVMs, before the first safepoint. */
  private Set<String> startsOfLogs(HadoopJob job) throws Exception {
    Set<String> starts = new TreeSet<>();
    try (Stream<Path> files = Files.walk(node.dir().resolve("logs").resolve(job.id()))) {
      for (Path log : files.filter(file -> file.endsWith("stdout")).toList()) {
        String text = Files.readString(log);
        assertTrue(text.contains("Safepoint \""), log + ":\n" + text);
        starts.add(
            text.lines()
                .filter(line -> line.startsWith("[")) // Tez writes there, too
                .takeWhile(line -> !line.contains("Safepoint") && !line.contains("GC("))
                // The daemons have a JDK of their own.
                .map(line -> line.replaceAll("Version: .*", "Version"))
                .map(line -> line.replaceAll("0x[0-9a-f]+", "X"))
                .map(line -> line.replaceAll("[0-9]+([.,][0-9]+)?", "N"))
                .collect(joining("\n")));
      }
    }
    return starts;
  }
}
