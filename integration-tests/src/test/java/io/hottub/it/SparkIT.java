// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.jvm.Home;
import io.hottub.it.jvm.NeedsHome;
import io.hottub.it.jvm.Pool;
import io.hottub.protocol.Journal;
import io.hottub.protocol.JournalEntry;
import io.hottub.protocol.KeeperConnection;
import io.hottub.protocol.KeeperSocket;
import io.hottub.protocol.KeeperState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Spark's applications on a real node, each on stock JVMs and on the pool. */
@NeedsHome
class SparkIT {
  private static final String DRIVER = "org.apache.spark.deploy.yarn.ApplicationMaster";
  private static final String MASTER = "org.apache.spark.deploy.yarn.ExecutorLauncher";
  private static final String EXECUTOR =
      "org.apache.spark.executor.YarnCoarseGrainedExecutorBackend";

  private static final String SUMS =
      IntStream.range(0, 17).mapToObj(SparkIT::sum).collect(joining(", ", "[", "]"));

  private static Pool pool;
  private static YarnNode node;
  private static Daemon nodeManager;
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
    nodeManager = node.startNodeManager();
    spark = new SparkHome(node, pool);
    sums(true, "client");
  }

  @AfterAll
  static void stopYarn() throws Exception {
    pool.retireAll();
    node.close();
    pool.close();
  }

  private static String sum(int remainder) {
    long sum = LongStream.range(0, 20_000).filter(n -> n % 17 == remainder).map(n -> n * n).sum();
    return "(" + remainder + "," + sum + ")";
  }

  private static Path folder() throws Exception {
    return Files.createDirectory(pool.work().resolve("job-" + ++folders));
  }

  private static SparkRun submit(boolean pooled, String mode, String... arguments)
      throws Exception {
    return spark.submit(pooled, mode, List.of(), arguments);
  }

  /** The result of an undisturbed application. */
  private static String sums(boolean pooled, String mode) throws Exception {
    Path result = folder().resolve("result");
    SparkRun run = submit(pooled, mode, "sums", result.toString());
    assertEquals(0, run.end(), run.log());
    pool.awaitIdle();
    return Files.readString(result);
  }

  /** How the runs were served whose lines the journal got after so many others. */
  private static List<String> served(int former) throws Exception {
    List<String> served = new ArrayList<>();
    List<String> journal = Journal.history(pool.directory());
    for (String line : journal.subList(former, journal.size())) {
      JournalEntry entry = JournalEntry.parse(line);
      if (Objects.equals(entry.event(), "run")) {
        boolean warm = Objects.equals(entry.text("served"), "pool") && entry.number("run") > 1;
        served.add(entry.text("main_class") + (warm ? " warm" : " " + line));
      }
    }
    return served;
  }

  private static int journalled() throws Exception {
    return Journal.history(pool.directory()).size();
  }

  @ParameterizedTest
  @ValueSource(strings = {"client", "cluster"})
  void everyJvmOfTheSecondJobIsWarm(String mode) throws Exception {
    assertEquals(SUMS, sums(false, mode));
    assertEquals(SUMS, sums(true, mode));
    assertEveryJvmIsWarm(mode);
  }

  /** A process of a waiting application: {@code driver}, or the number of a task's executor. */
  private static ProcessHandle process(Path folder, String name) throws Exception {
    Path file = folder.resolve("pid-" + name);
    Await.until(file + " is there", () -> Files.exists(file));
    return ProcessHandle.of(Long.parseLong(Files.readString(file))).orElseThrow();
  }

  /** An application whose executors both wait. */
  private SparkRun waiting(boolean pooled, String mode, Path folder) throws Exception {
    SparkRun run = submit(pooled, mode, "wait", folder.toString());
    try {
      process(folder, "0");
      process(folder, "1");
    } catch (AssertionError e) {
      throw new AssertionError(run.log(), e);
    }
    return run;
  }

  /** The client that a process stands for in a container; a stock JVM stands for itself. */
  private static ProcessHandle clientOf(ProcessHandle jvm) throws Exception {
    for (KeeperSocket socket : pool.sockets()) {
      try (KeeperConnection keeper = KeeperConnection.open(socket, Duration.ofSeconds(10))) {
        KeeperState state = keeper.status();
        if (Objects.equals(state.jvmPid(), jvm.pid())) {
          return ProcessHandle.of(state.clientPid()).orElseThrow();
        }
      }
    }
    return jvm;
  }

  private List<String> executorIsKilled(boolean pooled) throws Exception {
    Path folder = folder();
    SparkRun run = waiting(pooled, "client", folder);
    assertTrue(clientOf(process(folder, "0")).destroyForcibly());
    Files.createFile(folder.resolve("go"));
    assertEquals(0, run.end(), run.log());
    assertEquals("[10, 20]", Files.readString(folder.resolve("result")));
    return run.losses();
  }

  @Test
  void aKilledExecutorIsReplaced() throws Exception {
    List<String> stock = executorIsKilled(false);
    assertTrue(stock.toString().contains("ExecutorLostFailure"), stock.toString());
    assertTrue(stock.toString().contains("Exit status: 137"), stock.toString());
    assertEquals(stock, executorIsKilled(true));
    assertPoolServesOn();
  }

  private List<String> executorsHeapIsFull(boolean pooled) throws Exception {
    Path result = folder().resolve("result");
    // Spark's own option has a shell end the JVM, which may be faster than the executor itself.
    List<String> settings = List.of("spark.executor.extraJavaOptions=-XX:OnOutOfMemoryError=true");
    SparkRun run = spark.submit(pooled, "client", settings, "fill", result.toString());
    assertEquals(0, run.end(), run.log());
    assertEquals("[10, 20]", Files.readString(result));
    return run.losses();
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
    nodeManager.kill();
    nodeManager = node.startNodeManager();
    Files.createFile(folder.resolve("go"));
    assertEquals(0, run.end(), run.log());
    assertEquals("[10, 20]", Files.readString(folder.resolve("result")));
    assertEquals(List.of(), run.losses());
    assertPoolServesOn();
  }

  /** All leases have ended, and their JVMs serve the next application. */
  private void assertPoolServesOn() throws Exception {
    pool.awaitIdle();
    assertEveryJvmIsWarm("client");
  }

  private void assertEveryJvmIsWarm(String mode) throws Exception {
    int former = journalled();
    assertEquals(SUMS, sums(true, mode));
    assertEquals(
        List.of(
            "org.apache.spark.launcher.Main warm",
            "org.apache.spark.deploy.SparkSubmit warm",
            mode.equals("client") ? MASTER + " warm" : DRIVER + " warm",
            EXECUTOR + " warm",
            EXECUTOR + " warm"),
        served(former),
        () -> pool.logs());
  }
}
