// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.it.jvm.Home;
import io.hottub.it.jvm.NeedsHome;
import io.hottub.it.jvm.Pool;
import io.hottub.protocol.Journal;
import io.hottub.protocol.JournalEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Spark's applications on a real node, each on stock JVMs and on the pool. */
@NeedsHome
class SparkIT {
  private static Pool pool;
  private static YarnNode node;
  private static SparkHome spark;
  private static int folders;

  @BeforeAll
  static void startYarn() throws Exception {
    pool = new Pool();
    node = new YarnNode(pool.root(), Home.path());
    node.set("yarn.nodemanager.resource.memory-mb", "4096");
    node.set("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "200");
    node.set("yarn.nodemanager.recovery.enabled", "true");
    node.set("yarn.nodemanager.recovery.supervised", "true");
    node.startResourceManager();
    node.startNodeManager();
    spark = new SparkHome(node, pool);
  }

  @AfterAll
  static void stopYarn() throws Exception {
    pool.retireAll();
    node.close();
    pool.close();
  }

  private static Path folder() throws Exception {
    return Files.createDirectory(pool.work().resolve("job-" + ++folders));
  }

  /** Runs the application to its end, and returns its result. */
  private String sums(boolean pooled, String mode) throws Exception {
    Path result = folder().resolve("result");
    SparkRun run = spark.submit(pooled, mode, List.of(), "sums", result.toString());
    assertEquals(0, run.end(), run.log());
    pool.awaitIdle();
    return Files.readString(result);
  }

  @ParameterizedTest
  @CsvSource({
    "client, org.apache.spark.deploy.yarn.ExecutorLauncher",
    "cluster, org.apache.spark.deploy.yarn.ApplicationMaster"
  })
  void everyJvmOfTheSecondJobIsWarm(String mode, String master) throws Exception {
    String stock = sums(false, mode);
    assertEquals(stock, sums(true, mode));
    int former = Journal.history(pool.directory()).size();
    assertEquals(stock, sums(true, mode));
    List<String> served = new ArrayList<>();
    List<String> journal = Journal.history(pool.directory());
    for (String line : journal.subList(former, journal.size())) {
      JournalEntry entry = JournalEntry.parse(line);
      if (Objects.equals(entry.event(), "run")) {
        boolean warm = Objects.equals(entry.text("served"), "pool") && entry.number("run") > 1;
        served.add(entry.text("main_class") + (warm ? " warm" : " " + line));
      }
    }
    String executor = "org.apache.spark.executor.YarnCoarseGrainedExecutorBackend";
    assertEquals(
        List.of(
            "org.apache.spark.launcher.Main warm",
            "org.apache.spark.deploy.SparkSubmit warm",
            master + " warm",
            executor + " warm",
            executor + " warm"),
        served);
  }
}
