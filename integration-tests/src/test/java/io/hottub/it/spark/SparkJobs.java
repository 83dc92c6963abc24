// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Await;
import io.hottub.it.harness.Chromium;
import io.hottub.it.harness.SparkHistory;
import io.hottub.it.harness.SparkOnYarn;
import io.hottub.it.harness.SparkRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every version of Spark can do. */
@SuppressWarnings("try") // close waits for processes; an interrupt fails the test
abstract class SparkJobs extends SparkOnYarn {
  private static final String ALL_WARM = "3 of 3 JVMs were warm";

  @Test
  void stockJvmsHaveTheSameResult() throws Exception {
    assertEquals(SUMS, sums(false, "client"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"client", "cluster"})
  void everyJvmOfTheSecondJobIsWarm(String mode) throws Exception {
    assertEquals(SUMS, sums(true, mode));
    assertEveryJvmIsWarm(mode);
  }

  @Test
  void sparkTellsHowItsJvmsWereServed() throws Exception {
    Path folder = folder();
    SparkRun run = withUi(folder, "");
    awaitExecutors(folder);
    assertEquals(
        Set.of("", "task 0\n", "task 1\n"), new TreeSet<>(logs(run, "stdout")), "container's own");
    List<String> errors = logs(run, "stderr");
    assertEquals(3, errors.size());
    for (String log : errors) {
      assertEquals(Set.of(run.id()), SparkRun.applications(log), log);
    }
    Await.until("three JVMs are in the tab", () -> run.page("/hottub/").contains(ALL_WARM));
    String tab = table(run.page("/hottub/"));
    Map<String, String> leases = leases(run, folder);
    assertEquals(Set.of("driver", "executor.1", "executor.2"), leases.keySet());
    for (String lease : leases.values()) {
      assertTrue(
          lease.matches(
              "warm, lease \\d+ of JVM \\d+, handed over in [0-9.]+ ms"
                  + "(, warm-up saved: [0-9.]+ s of CPU in the median of leases before)?"),
          leases.toString());
    }
    assertEquals(List.of(), saidOf(run, "are cold"));
    assertEquals(List.of(), saidOf(run, "finds it warm"));
    leases.forEach((name, lease) -> assertTrue(tab.contains(rowOf(name, lease)), tab));
    assertTheHistoryServerShowsIt(run, folder, tab);
    pool.awaitIdle();
  }

  /** The table of a page of the tab. */
  private static String table(String page) {
    int begin =
        page.indexOf(
            "<table class=\"table table-bordered table-sm table-striped\" id=\"hottub-jvms\"");
    return page.substring(begin, page.indexOf("</table>", begin));
  }

  /** The first cells of a line of the table. */
  private static String rowOf(String name, String lease) {
    String[] words = lease.split(", ", -1);
    String handOver = words[2].replace("handed over in ", "");
    return "<tr><td>%s</td><td>%s</td><td>%s</td><td>%s</td>"
        .formatted(name, words[0], words[1], handOver);
  }

  private void assertTheHistoryServerShowsIt(SparkRun run, Path folder, String tab)
      throws Exception {
    Path events = Files.createDirectory(folder.resolve("events"));
    Files.copy(folder.resolve(run.id()), events.resolve(run.id()));
    try (SparkHistory history = spark.history(events)) {
      String url = history.url(run.id(), "/hottub/");
      assertEquals(tab, table(history.await(url, "id=\"hottub-jvms\"")));
      Chromium.picture(url, "spark-tab-" + version(), "1100,420");
    }
  }
}
