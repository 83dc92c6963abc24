// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** Applications of one version of Spark on a real node, on stock JVMs and on the pool. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class SparkOnYarn {
  protected static final String DRIVER = "org.apache.spark.deploy.yarn.ApplicationMaster";
  protected static final String MASTER = "org.apache.spark.deploy.yarn.ExecutorLauncher";
  protected static final String EXECUTOR =
      "org.apache.spark.executor.YarnCoarseGrainedExecutorBackend";

  protected static final String SUMS =
      IntStream.range(0, 17).mapToObj(SparkOnYarn::sum).collect(joining(", ", "[", "]"));

  /** Of all runs, which are to have none in common. */
  private final Set<String> randoms = new HashSet<>();

  protected Pool pool;
  protected YarnNode node;
  protected SparkHome spark;
  private int folders;

  /** As the script that fetches it wants it. */
  protected abstract String version();

  /** The HotTub home of the node. */
  protected Path installedHome() throws Exception {
    return Home.path();
  }

  /** Starts the NodeManager with HotTub on its class path. */
  protected void startNodeManager() throws Exception {
    node.startNodeManager();
  }

  /** Spark with HotTub installed. */
  protected SparkHome installSpark() throws Exception {
    return new SparkHome(node, pool, version());
  }

  /** Settings beyond those of every such test, before the daemons are started. */
  protected void configure(YarnNode node) throws Exception {}

  /** Settings beyond those of every such test, for all applications. */
  protected void configure(SparkHome spark) throws Exception {}

  @BeforeAll
  public void startYarn() throws Exception {
    pool = new Pool();
    node = new YarnNode(pool.root(), installedHome());
    node.set("yarn.nodemanager.resource.memory-mb", "4096");
    node.set("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "200");
    node.set("yarn.nodemanager.recovery.enabled", "true");
    node.set("yarn.nodemanager.recovery.supervised", "true");
    // Logs of containers are read after their application.
    node.set("yarn.nodemanager.log.retain-seconds", "3600");
    configure(node);
    node.startResourceManager();
    startNodeManager();
    spark = installSpark();
    configure(spark);
    sums(true, "client");
  }

  @AfterEach
  void endApplications() {
    spark.killAll();
  }

  @AfterAll
  public void stopYarn() throws Exception {
    pool.retireAll();
    node.close();
    pool.close();
  }

  private static String sum(int remainder) {
    long sum = LongStream.range(0, 20_000).filter(n -> n % 17 == remainder).map(n -> n * n).sum();
    return "(" + remainder + "," + sum + ")";
  }

  protected Path folder() throws Exception {
    return Files.createDirectory(pool.work().resolve("job-" + ++folders));
  }

  protected SparkRun submit(boolean pooled, String mode, String... arguments) throws Exception {
    return spark.submit(pooled, mode, List.of(), arguments);
  }

  /** The result of an undisturbed application. */
  protected String sums(boolean pooled, String mode) throws Exception {
    Path result = folder().resolve("result");
    SparkRun run = submit(pooled, mode, "sums", result.toString());
    assertEquals(0, run.end(), run.log());
    pool.awaitIdle();
    for (String random : Files.readAllLines(result.resolveSibling("result.randoms"))) {
      assertTrue(randoms.add(random), () -> random + " again, of " + randoms);
    }
    return Files.readString(result);
  }

  /**
   * Starts a server of Spark's own, and waits until its log has these words.
   *
   * @param listens what it says when clients may come
   */
  protected SparkRun startServer(boolean pooled, String main, List<String> settings, String listens)
      throws Exception {
    SparkRun server = spark.submitServer(pooled, main, settings);
    Await.until("the server listens", SparkRun.LONGEST, () -> server.log().contains(listens));
    return server;
  }

  /** How the runs were served whose lines the journal got after so many others. */
  protected List<String> served(int former) throws Exception {
    return ServedRuns.since(pool, former);
  }

  /** Submits an application that writes its result to a file. */
  protected interface Submission {
    SparkRun submit(boolean pooled, String result) throws Exception;
  }

  protected String result(boolean pooled, Submission application) throws Exception {
    Path result = folder().resolve("result");
    SparkRun run = application.submit(pooled, result.toString());
    assertEquals(0, run.end(), run.log());
    pool.awaitIdle();
    return Files.readString(result);
  }

  /** As on stock JVMs, and all JVMs warm from the second time on. */
  protected String assertWarmAndEqual(Submission application) throws Exception {
    String stock = result(false, application);
    assertEquals(stock, result(true, application));
    int former = journalled();
    assertEquals(stock, result(true, application));
    List<String> served = served(former);
    assertTrue(
        served.stream().allMatch(run -> run.endsWith(" warm")),
        () -> served + node.crashes() + pool.logs());
    assertTrue(served.contains(EXECUTOR + " warm"), served.toString());
    return stock;
  }

  protected int journalled() throws Exception {
    return ServedRuns.journalled(pool);
  }

  /** A process of a waiting application: {@code driver}, or the number of a task's executor. */
  protected ProcessHandle process(Path folder, String name) throws Exception {
    Path file = folder.resolve("pid-" + name);
    Await.until(file + " is there", SparkRun.LONGEST, () -> Files.exists(file));
    return ProcessHandle.of(Long.parseLong(Files.readString(file))).orElseThrow();
  }

  /** Until both executors of a waiting application are at their tasks. */
  protected void awaitExecutors(Path folder) throws Exception {
    process(folder, "0");
    process(folder, "1");
  }

  /** An application whose executors both wait. */
  protected SparkRun waiting(boolean pooled, String mode, Path folder) throws Exception {
    SparkRun run = submit(pooled, mode, "wait", folder.toString());
    try {
      awaitExecutors(folder);
    } catch (AssertionError e) {
      throw new AssertionError(run.log(), e);
    }
    return run;
  }

  /** The client that a process stands for in a container; a stock JVM stands for itself. */
  protected ProcessHandle clientOf(ProcessHandle jvm) throws Exception {
    for (KeeperState state : pool.states()) {
      if (Objects.equals(state.jvmPid(), jvm.pid())) {
        return ProcessHandle.of(state.clientPid()).orElseThrow();
      }
    }
    return jvm;
  }

  /** The recipe that {@code hottub recipe} makes of a running container. */
  protected String recipe(ProcessHandle client) throws Exception {
    return Recipes.of(pool, client.pid(), List.of("io.hottub.spark.Trainer"));
  }

  /** Until recipes have made so many idle JVMs of so many runs each; none of them may fail. */
  protected void awaitTrained(int jvms, int runs, Duration longest) throws Exception {
    Recipes.awaitTrained(node, pool, jvms, runs, longest);
  }

  /** The entries in Spark's web UI and in its event log. */
  protected Map<String, String> leases(SparkRun run, Path folder) throws Exception {
    Map<String, String> leases =
        Await.value("three JVMs are in the UI", Await.LONGEST, run::leases, all -> all.size() == 3);
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

  /** Lines of the driver's log; only in client mode. */
  protected static List<String> saidOf(SparkRun run, String words) throws Exception {
    return run.log().lines().filter(line -> line.contains(words)).toList();
  }

  protected SparkRun withUi(Path folder, String executorOptions) throws Exception {
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
  protected List<String> logs(SparkRun run, String name) throws Exception {
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

  /** All leases have ended, and their JVMs serve the next application. */
  protected void assertPoolServesOn() throws Exception {
    pool.awaitIdle();
    assertEveryJvmIsWarm("client");
  }

  protected void assertEveryJvmIsWarm(String mode) throws Exception {
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
        () -> node.crashes() + pool.logs());
  }
}
