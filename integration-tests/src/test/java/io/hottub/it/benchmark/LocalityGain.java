// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Await;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.ServedRuns;
import io.hottub.it.harness.SparkOnYarn;
import io.hottub.it.harness.SparkRun;
import io.hottub.it.harness.YarnNode;
import io.hottub.it.harness.ZooKeeperServer;
import io.hottub.protocol.Journal;
import io.hottub.protocol.JvmState;
import io.hottub.report.Stats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What the preference for nodes with warm JVMs brings to a whole Spark application on two nodes of
 * the same size: with it and without it in turn, each time after the same beginning. Run by {@code
 * integration-tests/benchmarks/locality}.
 */
@NeedsHome
class LocalityGain extends SparkOnYarn {
  private static final int PAIRS = Integer.getInteger("hottub.gain.pairs", 10);
  private static final String MODE = System.getProperty("hottub.gain.mode", "client");
  private static final boolean BOTH = Boolean.getBoolean("hottub.gain.both");
  private static final Path REPORT =
      Path.of(System.getProperty("hottub.gain.report", "target/locality.md"));
  private static final String SETTING = "yarn.nodemanager.aux-services.hottub.";
  private static final String OFF =
      "spark.yarn.appMasterEnv.APPLICATION_PLACEMENT_TYPE_CLASS="
          + "org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement."
          + "LocalityAppPlacementAllocator";
  private static final Pattern NUMBER = Pattern.compile("\"(?:Count|Value)\" : (\\d+)");
  private static final int EXECUTORS = 2;
  private static final int WARM_UPS = 4;

  /**
   * A node looks at its JVMs every 5 s, publishes every 10 s and is read every 5 s: after that the
   * ResourceManager knows of all.
   */
  private static final Duration KNOWN = Duration.ofSeconds(21);

  private ZooKeeperServer zookeeper;
  private Pool itsPool;
  private YarnNode other;
  private Path tables;
  private String answer;

  /**
   * Containers of one application.
   *
   * @param here on the node that was warm
   * @param warm in warm JVMs, on whatever node
   */
  private record Places(int here, int warm) {
    @Override
    public String toString() {
      return here + ", " + warm;
    }
  }

  /**
   * One application.
   *
   * @param wall of {@code spark-submit}, ms
   * @param query of the query within it, ms
   * @param waits of the ResourceManager for warm nodes
   */
  private record Took(long wall, long query, Places master, Places executors, long waits) {}

  private record Pair(Took on, Took off) {
    /** What the preference saves, as a part of what it takes without. */
    double gain() {
      return 1 - (double) on.wall() / off.wall();
    }
  }

  @Override
  protected String version() {
    return "3";
  }

  @Override
  protected void configure(YarnNode node) throws Exception {
    zookeeper = new ZooKeeperServer(node.dir().resolve("zookeeper"));
    zookeeper.start();
    join(node);
    node.set("yarn.scheduler.app-placement-allocator.class", "io.hottub.yarn.WarmNodePlacement");
    node.set("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "1000");
  }

  /** With the intervals that nodes have by default. */
  private void join(YarnNode node) throws Exception {
    zookeeper.invite(node);
    node.set(SETTING + "scan-interval-ms", "5000");
    node.set("yarn.nodemanager.resource.memory-mb", "4096");
  }

  @BeforeAll
  void startTheOtherNode() throws Exception {
    tables = folder();
    assertEquals(0, submit(false, "client", "tables", tables.toString()).end());
    for (int i = 0; i < WARM_UPS; i++) {
      submitted(List.of());
    }
    itsPool = new Pool();
    other = new YarnNode(itsPool.root(), Home.path(), node);
    join(other);
    other.startNodeManager();
  }

  @AfterAll
  void stopTheOtherNode() throws Exception {
    try {
      spark.killAll();
      if (other != null) {
        itsPool.retireAll();
        other.close();
        itsPool.close();
      }
    } finally {
      zookeeper.close();
    }
  }

  /** Submits the application and waits for its end; returns how long it took, in ms. */
  private long submitted(List<String> settings) throws Exception {
    long begin = System.nanoTime();
    SparkRun run = spark.submit(true, MODE, settings, "query", tables.toString());
    assertEquals(0, run.end(), run.log());
    long wall = (System.nanoTime() - begin) / 1_000_000;
    pool.awaitIdle();
    if (itsPool != null) {
      itsPool.awaitIdle();
    }
    String seen = Files.readString(tables.resolve("answer"));
    answer = answer == null ? seen : answer;
    assertEquals(answer, seen);
    return wall;
  }

  /** Of the ResourceManager. */
  private long metric(String name) throws Exception {
    String address = node.conf().get("yarn.resourcemanager.webapp.address");
    int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
    Matcher value = NUMBER.matcher(YarnNode.jmx(port, "hottub:name=locality." + name + ",*"));
    return value.find() ? Long.parseLong(value.group(1)) : 0;
  }

  private static boolean isWarmed(Pool pool) throws IOException {
    return pool.states().stream()
            .filter(jvm -> jvm.state() == JvmState.IDLE)
            .filter(jvm -> Objects.equals(jvm.mainClass(), EXECUTOR))
            .count()
        >= EXECUTORS;
  }

  /** The same before each application. */
  private void begin() throws Exception {
    if (BOTH) {
      for (int i = 0; i < WARM_UPS && !(isWarmed(pool) && isWarmed(itsPool)); i++) {
        submitted(List.of(OFF, "spark.executor.instances=" + 2 * EXECUTORS));
      }
      assertTrue(isWarmed(itsPool), "the other node is warm, too");
    } else {
      for (int i = 0; i < WARM_UPS && !isWarmed(pool); i++) {
        submitted(List.of());
      }
      itsPool.retireAll();
      Await.until("the other node is cold", () -> itsPool.sockets().isEmpty());
    }
    assertTrue(isWarmed(pool), "the first node is warm");
    Thread.sleep(KNOWN.toMillis());
    Await.until("the nodes are known", () -> metric("nodes") == (BOTH ? 2 : 1));
  }

  private static Places places(String mainClass, List<String> here, List<String> there) {
    String warm = mainClass + " warm";
    long count = here.stream().filter(run -> run.startsWith(mainClass + " ")).count();
    return new Places(
        (int) count, Collections.frequency(here, warm) + Collections.frequency(there, warm));
  }

  private Took run(boolean on) throws Exception {
    begin();
    int former = journalled();
    int itsFormer = Journal.history(itsPool.directory()).size();
    long waits = metric("waits");
    long wall = submitted(on ? List.of() : List.of(OFF));
    List<String> here = served(former);
    List<String> itsJournal = Journal.history(itsPool.directory());
    List<String> there = ServedRuns.of(itsJournal.subList(itsFormer, itsJournal.size()));
    Took took =
        new Took(
            wall,
            Long.parseLong(Files.readString(tables.resolve("millis"))),
            places(MODE.equals("client") ? MASTER : DRIVER, here, there),
            places(EXECUTOR, here, there),
            metric("waits") - waits);
    System.out.printf("%s: %s%n", on ? "on" : "off", took);
    assertEquals(
        EXECUTORS,
        Stream.concat(here.stream(), there.stream())
            .filter(run -> run.startsWith(EXECUTOR + " "))
            .count(),
        () -> here + " " + there);
    assertTrue(on || took.waits() == 0, "nothing is preferred without it");
    return took;
  }

  @Test
  @Timeout(7200)
  void measure() throws Exception {
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < PAIRS; i++) {
      boolean onFirst = i % 2 == 0;
      Took first = run(onFirst);
      Took second = run(!onFirst);
      pairs.add(onFirst ? new Pair(first, second) : new Pair(second, first));
    }
    Files.createDirectories(REPORT.toAbsolutePath().getParent());
    Files.writeString(REPORT, report(pairs));
    System.out.print(Files.readString(REPORT));
  }

  private static String report(List<Pair> pairs) throws IOException {
    StringBuilder text =
        new StringBuilder(
            """
            %s, %d cores, %s, %s mode, %s.
            Wall time of spark-submit and of its query.
            Of %d executors, and of the master: how many are on the first node, how many are warm.

            | pair | on, s | off, s | gain, %% | query on | off | executors | off | waits | master | off |
            |---:|---:|---:|---:|---:|---:|---|---|---:|---|---|
            """
                .formatted(
                    LocalDate.now(ZoneOffset.UTC),
                    Runtime.getRuntime().availableProcessors(),
                    home(),
                    MODE,
                    BOTH ? "both nodes warm" : "one node warm",
                    EXECUTORS));
    for (int i = 0; i < pairs.size(); i++) {
      Took on = pairs.get(i).on();
      Took off = pairs.get(i).off();
      text.append(
          String.format(
              Locale.ROOT,
              "| %d | %.2f | %.2f | %.1f | %.2f | %.2f | %s | %s | %d | %s | %s |%n",
              i + 1,
              on.wall() / 1e3,
              off.wall() / 1e3,
              100 * pairs.get(i).gain(),
              on.query() / 1e3,
              off.query() / 1e3,
              on.executors(),
              off.executors(),
              on.waits(),
              on.master(),
              off.master()));
    }
    text.append(
        String.format(
            Locale.ROOT,
            "%nMedians: on %s; off %s; gain of a pair %s.%n",
            spread(pairs.stream().mapToDouble(pair -> pair.on().wall() / 1e3), "s"),
            spread(pairs.stream().mapToDouble(pair -> pair.off().wall() / 1e3), "s"),
            spread(pairs.stream().mapToDouble(pair -> 100 * pair.gain()), "%")));
    return text.toString();
  }

  /** Version of the JVM that serves the application. */
  private static String home() throws IOException {
    try (Stream<String> lines = Files.lines(Home.path().resolve("release"))) {
      return lines
          .filter(line -> line.startsWith("JAVA_RUNTIME_VERSION="))
          .map(line -> "JDK " + line.replaceAll(".*=|\"", ""))
          .findFirst()
          .orElse("JDK ?");
    }
  }

  private static String spread(DoubleStream values, String unit) {
    double[] sorted = values.sorted().toArray();
    return String.format(
        Locale.ROOT,
        "%.2f %s (%.2f to %.2f)",
        Stats.median(sorted),
        unit,
        sorted[0],
        sorted[sorted.length - 1]);
  }
}
