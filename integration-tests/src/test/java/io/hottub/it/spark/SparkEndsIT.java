// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.SparkOnYarn;
import io.hottub.it.harness.SparkRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How applications of the newest Spark 3 end, and what they are asked to log. */
@NeedsHome
@Tag("long")
class SparkEndsIT extends SparkOnYarn {
  /** One, if the other comes when the line is written; NotWarmTest tells of groups. */
  private static final String EXECUTORS = "executor[.][12](, executor[.][12])?";

  @Override
  protected String version() {
    return "3";
  }

  private List<String> executorsHeapIsFull(boolean pooled) throws Exception {
    Path result = folder().resolve("result");
    // Spark's own option has a shell end the JVM, which may be faster than the executor itself.
    List<String> settings = List.of("spark.executor.extraJavaOptions=-XX:OnOutOfMemoryError=true");
    SparkRun run = spark.submit(pooled, "client", settings, "fill", result.toString());
    assertEquals(0, run.end(), run.log());
    assertEquals("[10, 20]", Files.readString(result));
    // Until it has ended, Spark may give the dying executor the task again: a race, stock or
    // pooled.
    return run.losses().stream().filter(loss -> !loss.contains("ExecutorLostFailure")).toList();
  }

  @Test
  void anExecutorWithoutMemoryIsReplaced() throws Exception {
    List<String> stock = executorsHeapIsFull(false);
    assertTrue(stock.toString().contains("OutOfMemoryError: Java heap space"), stock.toString());
    assertTrue(stock.toString().contains("Exit status: 52"), stock.toString());
    assertEquals(stock, executorsHeapIsFull(true));
    assertPoolServesOn();
  }

  private String driverIsKilled(boolean pooled, String mode) throws Exception {
    Path folder = folder();
    SparkRun run = waiting(pooled, mode, folder);
    if (mode.equals("client")) {
      run.kill();
    } else {
      assertTrue(clientOf(process(folder, "driver")).destroyForcibly());
    }
    return "status " + run.end() + ", " + run.report(node.client());
  }

  @ParameterizedTest
  @ValueSource(strings = {"client", "cluster"})
  void aKilledDriverEndsTheApplication(String mode) throws Exception {
    assertEquals(driverIsKilled(false, mode), driverIsKilled(true, mode));
    assertPoolServesOn();
  }

  @Test
  void anApplicationOutlivesTheNodeManager() throws Exception {
    Path folder = folder();
    SparkRun run = waiting(true, "client", folder);
    node.nodeManager().kill();
    node.startNodeManager();
    Files.createFile(folder.resolve("go"));
    assertEquals(0, run.end(), run.log());
    assertEquals("[10, 20]", Files.readString(folder.resolve("result")));
    assertEquals(List.of(), run.losses());
    assertPoolServesOn();
  }

  /** Without the lines of collections, and without what differs between any two processes. */
  private static List<String> aroundCollections(List<String> logs) {
    return logs.stream()
        .map(log -> log.replaceAll("(?m)^.*GC\\(\\d+\\).*\\R", ""))
        // YARN may kill the container before the executor has exited.
        .map(log -> log.replaceAll("(?m)^.*heap,exit.*\\R", ""))
        .map(log -> log.replaceAll("Version: .*", "Version")) // the daemons have a JDK of their own
        .map(log -> log.replaceAll("0x[0-9a-f]+", "X").replaceAll("[0-9]+([.,][0-9]+)?", "N"))
        .sorted()
        .toList();
  }

  private List<String> logsOfExecutors(boolean pooled) throws Exception {
    List<String> settings =
        List.of("spark.executor.extraJavaOptions=-Xlog:gc*:file=<LOG_DIR>/gc.log:time,uptime,tags");
    SparkRun run = spark.submit(pooled, "client", settings, "sums", folder() + "/result");
    assertEquals(0, run.end(), run.log());
    List<String> logs = logs(run, "gc.log");
    assertEquals(2, logs.size());
    return logs;
  }

  @Test
  void pooledExecutorsLogTheirCollections() throws Exception {
    List<String> stock = logsOfExecutors(false);
    assertTrue(stock.toString().contains("Using G1"), stock.toString());
    for (int lease = 0; lease < 2; lease++) {
      assertEquals(aroundCollections(stock), aroundCollections(logsOfExecutors(true)));
      pool.awaitIdle();
    }
    assertPoolServesOn();
  }

  @Test
  void executorsThatLogLoadedClassesAreCold() throws Exception {
    Path folder = folder();
    SparkRun run = withUi(folder, "-Xlog:class+load:<LOG_DIR>/classes.log");
    awaitExecutors(folder);
    List<String> logs = logs(run, "classes.log");
    assertEquals(2, logs.size());
    logs.forEach(log -> assertTrue(log.contains("java.lang.Object source"), log));
    Map<String, String> leases = leases(run, folder);
    assertEquals("cold: log", leases.get("executor.1"), leases.toString());
    assertEquals("cold: log", leases.get("executor.2"), leases.toString());
    List<String> said = saidOf(run, "are cold");
    assertEquals(1, said.size(), said.toString());
    assertTrue(
        said.get(0)
            .matches(
                ".* WARN .*: HotTub is asked for, and these are cold: "
                    + EXECUTORS
                    + "[.] The reason is log [(].*; what to do: use -Xlog:gc.*[)]"),
        said.toString());
    pool.awaitIdle();
  }

  @Test
  void firstRunsOfTheirKindAreToldAndNoComplaint() throws Exception {
    Path folder = folder();
    SparkRun run = withUi(folder, "-Xss900k");
    awaitExecutors(folder);
    leases(run, folder);
    assertEquals(List.of(), saidOf(run, "are cold"));
    List<String> said = saidOf(run, "the next run finds it warm");
    assertEquals(1, said.size(), said.toString());
    assertTrue(said.get(0).matches(".* INFO .*: HotTub started .*: " + EXECUTORS), said.toString());
    pool.awaitIdle();
  }
}
