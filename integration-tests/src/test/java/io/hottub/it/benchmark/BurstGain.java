// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Await;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.SparkHome;
import io.hottub.it.harness.SparkOnYarn;
import io.hottub.it.harness.SparkRun;
import io.hottub.it.harness.YarnNode;
import io.hottub.protocol.Isolation;
import io.hottub.protocol.Journal;
import io.hottub.protocol.JournalEntry;
import io.hottub.protocol.JvmState;
import io.hottub.protocol.KeeperState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a burst costs: all executors of one Spark application start at once on a node, on stock JVMs
 * and in clones of one template in turn. Run by {@code integration-tests/benchmarks/burst}.
 */
@NeedsHome
class BurstGain extends SparkOnYarn {
  private static final int PAIRS = Integer.getInteger("hottub.gain.pairs", 3);
  private static final int EXECUTORS = Integer.getInteger("hottub.gain.executors", 20);
  private static final Path RESULTS =
      Path.of(System.getProperty("hottub.gain.results", "target/burst.tsv"));
  private static final String SETTING = "yarn.nodemanager.aux-services.hottub.";

  /** A JVM becomes a template after 30 runs at the latest, if it comes to rest after that one. */
  private static final int TRAINING = 40;

  /** On a busy machine, too. */
  private static final Duration LONGEST = Duration.ofMinutes(15);

  private static final long LOOK_MS = 250;

  /** Above what the own threads of twenty idle JVMs use of a second. */
  private static final long REST_MS = 100;

  /**
   * One application, its times in ms.
   *
   * @param wall from the start of {@code spark-submit} until all executors have registered
   * @param cpuRegistered of all executors until then
   * @param cpu of all executors until their end, and until the pool is at rest
   * @param ready clones that had been made before
   * @param warm executors that were served by clones of a trained JVM
   */
  private record Took(long wall, long cpuRegistered, long cpu, long ready, long warm) {
    String line(String side, int pair) {
      return "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d"
          .formatted(side, pair, EXECUTORS, wall, cpuRegistered, cpu, ready, warm);
    }
  }

  private String result;

  @Override
  protected String version() {
    return "3";
  }

  /** Room for all executors and the master, and all at once: YARN would give one at a heartbeat. */
  @Override
  protected void configure(YarnNode node) {
    node.set("yarn.nodemanager.resource.memory-mb", Integer.toString(1024 + 640 * EXECUTORS));
    node.set(
        "yarn.scheduler.capacity.per-node-heartbeat.maximum-offswitch-assignments",
        Integer.toString(EXECUTORS));
    node.set("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "1000");
    node.set(SETTING + "scan-interval-ms", "5000");
    node.set(SETTING + "isolation", "clone");
  }

  /** One JVM for executors, which is to be the template. */
  @Override
  protected void configure(SparkHome spark) throws IOException {
    spark.set("spark.executor.instances", "1");
  }

  private Optional<KeeperState> template() throws IOException {
    return pool.states().stream()
        .filter(jvm -> jvm.state() == JvmState.TEMPLATE && EXECUTOR.equals(jvm.mainClass()))
        .findFirst();
  }

  private long ready(KeeperState template) throws IOException {
    return pool.states().stream()
        .filter(jvm -> jvm.state() == JvmState.IDLE)
        .filter(jvm -> jvm.fingerprint().equals(template.fingerprint()))
        .count();
  }

  /** Of keeper and template, and of all clones with theirs, which are below them. */
  private static long cpuOfClones(KeeperState template) throws IOException {
    return ProcessTable.read().treeMs(template.keeperPid());
  }

  private long restingCpuOfClones(KeeperState template) throws Exception {
    pool.awaitIdle();
    long last;
    long now = cpuOfClones(template);
    do {
      Thread.sleep(1_000);
      last = now;
      now = cpuOfClones(template);
    } while (now - last > REST_MS);
    return now;
  }

  private long warmClones(int former) throws IOException {
    List<String> journal = Journal.history(pool.directory());
    long warm = 0;
    for (String line : journal.subList(former, journal.size())) {
      JournalEntry run = JournalEntry.parse(line);
      if ("run".equals(run.event())
          && EXECUTOR.equals(run.text("main_class"))
          && run.isolation() == Isolation.CLONE
          && run.isWarm()) {
        warm++;
      }
    }
    return warm;
  }

  /** Returns when all executors have registered, which wait for the file "go" then. */
  private SparkRun burst(boolean pooled, int executors, Path folder) throws Exception {
    SparkRun run =
        spark.submit(
            pooled,
            "client",
            List.of(
                "spark.executor.instances=" + executors,
                "spark.scheduler.maxRegisteredResourcesWaitingTime=1h",
                "spark.network.timeout=600s"),
            "burst",
            folder.toString());
    Path registered = folder.resolve("pid-driver");
    Await.until(
        "all executors have registered", LONGEST, () -> Files.exists(registered) || !run.isAlive());
    assertTrue(Files.exists(registered), run.log());
    return run;
  }

  private void assertSameResult(SparkRun run, Path folder) throws Exception {
    assertEquals(0, run.end(), run.log());
    String seen = Files.readString(folder.resolve("result"));
    result = result == null ? seen : result;
    assertEquals(result, seen);
  }

  private KeeperState train() throws Exception {
    for (int i = 0; i < TRAINING && template().isEmpty(); i++) {
      Path folder = folder();
      SparkRun run = burst(true, 1, folder);
      Files.createFile(folder.resolve("go"));
      assertSameResult(run, folder);
      pool.awaitIdle();
    }
    return template().orElseThrow(() -> new AssertionError("no template: " + pool.logs()));
  }

  private Took run(boolean pooled, KeeperState template) throws Exception {
    long ready = pooled ? ready(template) : 0;
    long before = restingCpuOfClones(template);
    int former = journalled();
    ExecutorContainers containers = new ExecutorContainers(node.nodeManager().pid());
    Path folder = folder();
    long begin = System.nanoTime();
    SparkRun run = burst(pooled, EXECUTORS, folder);
    long wall = (System.nanoTime() - begin) / 1_000_000;
    containers.look();
    long registered = containers.ms() + (pooled ? cpuOfClones(template) - before : 0);
    Files.createFile(folder.resolve("go"));
    while (containers.look() || run.isAlive()) {
      Thread.sleep(LOOK_MS);
    }
    assertSameResult(run, folder);
    assertEquals(EXECUTORS, containers.count());
    long all = containers.ms() + (pooled ? restingCpuOfClones(template) - before : 0);
    return new Took(wall, registered, all, ready, warmClones(former));
  }

  @Test
  @Timeout(7200)
  void measure() throws Exception {
    KeeperState template = train();
    List<String> lines = new ArrayList<>();
    for (int pair = 1; pair <= PAIRS; pair++) {
      // Who goes first changes.
      for (boolean pooled : pair % 2 == 1 ? List.of(false, true) : List.of(true, false)) {
        lines.add(run(pooled, template).line(pooled ? "clone" : "stock", pair));
        System.out.println(lines.get(lines.size() - 1));
      }
    }
    assertEquals(template.jvmPid(), template().map(KeeperState::jvmPid).orElse(null), "template");
    Files.createDirectories(RESULTS.toAbsolutePath().getParent());
    Files.write(RESULTS, lines);
  }
}
