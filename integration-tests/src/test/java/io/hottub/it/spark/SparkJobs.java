// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.SparkOnYarn;
import io.hottub.it.harness.SparkRun;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every version of Spark can do. */
abstract class SparkJobs extends SparkOnYarn {
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
    pool.awaitIdle();
  }
}
