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
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
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

  /** Of all runs, which are to have none in common. */
  private static final Set<String> RANDOMS = new HashSet<>();

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

  @AfterEach
  void endApplications() {
    spark.killAll();
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
    for (String random : Files.readAllLines(result.resolveSibling("result.randoms"))) {
      assertTrue(RANDOMS.add(random), () -> random + " again, of " + RANDOMS);
    }
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

  /** A process of a waiting application: {@code driver}, or the number of a task's executor. */
  private static ProcessHandle process(Path folder, String name) throws Exception {
    Path file = folder.resolve("pid-" + name);
    Await.until(file + " is there", SparkRun.LONGEST, () -> Files.exists(file));
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

  /** The entries in Spark's web UI and in its event log. */
  private Map<String, String> leases(SparkRun run, Path folder) throws Exception {
    Await.until("three JVMs are in the UI", () -> run.leases().size() == 3);
    Map<String, String> leases = run.leases();
    Files.createFile(folder.resolve("go"));
    assertEquals(0, run.end(), run.log());
    String events = Files.readString(folder.resolve(run.id()));
    leases.forEach(
        (name, lease) -> {
          String entry = "\"spark.hottub.jvm." + name + "\":\"" + lease + "\"";
          assertTrue(events.contains(entry), entry);
        });
    return leases;
  }

  private SparkRun withUi(Path folder, String executorOptions) throws Exception {
    return spark.submit(
        true,
        "client",
        List.of(
            "spark.ui.enabled=true",
            "spark.ui.port=0",
            "spark.eventLog.enabled=true",
            "spark.eventLog.rolling.enabled=false",
            "spark.eventLog.compress=false",
            "spark.eventLog.dir=" + folder.toUri(),
            "spark.executor.extraJavaOptions=" + executorOptions),
        "wait",
        folder.toString());
  }

  /** What the containers of a running application have written to one of their log files. */
  private static List<String> logs(SparkRun run, String name) throws Exception {
    List<String> logs = new ArrayList<>();
    Path folder = node.dir().resolve("logs").resolve(run.id());
    try (DirectoryStream<Path> containers = Files.newDirectoryStream(folder)) {
      for (Path container : containers) {
        if (Files.exists(container.resolve(name))) {
          logs.add(Files.readString(container.resolve(name)));
        }
      }
    }
    return logs;
  }

  @Test
  void sparkTellsHowItsJvmsWereServed() throws Exception {
    Path folder = folder();
    SparkRun run = withUi(folder, "");
    process(folder, "0");
    process(folder, "1");
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
    pool.awaitIdle();
  }

  @Test
  void executorsThatLogCollectionsAreCold() throws Exception {
    Path folder = folder();
    SparkRun run = withUi(folder, "-Xlog:gc:<LOG_DIR>/gc.log");
    process(folder, "0");
    process(folder, "1");
    List<String> logs = logs(run, "gc.log");
    assertEquals(2, logs.size());
    logs.forEach(log -> assertTrue(log.contains("Using "), log));
    Map<String, String> leases = leases(run, folder);
    assertEquals("cold: log", leases.get("executor.1"), leases.toString());
    assertEquals("cold: log", leases.get("executor.2"), leases.toString());
    pool.awaitIdle();
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
