// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Daemon;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import io.hottub.it.harness.Run;
import io.hottub.it.harness.YarnNode;
import io.hottub.protocol.KeeperSocket;
import io.hottub.protocol.PoolLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What the pool service costs a NodeManager that has nothing to do: CPU time and threads without
 * JVMs and with 20 idle ones. Run by {@code integration-tests/benchmarks/service}.
 */
@NeedsHome
class ServiceCost {
  private static final int JVMS = 20;
  private static final int SECONDS = Integer.getInteger("hottub.cost.seconds", 60);
  private static final double TICKS_PER_SECOND = 100;
  private static final Path REPORT =
      Path.of(System.getProperty("hottub.cost.report", "target/service.md"));

  /**
   * What was seen in a time.
   *
   * @param service CPU time of the service's own thread, percent of a core
   * @param process that of the NodeManager
   */
  private record Cost(String title, double service, double process, long threads) {
    String row() {
      return "| %s | %.2f %% | %.2f %% | %d |%n".formatted(title, service, process, threads);
    }
  }

  @Test
  void idle() throws Exception {
    Pool pool = new Pool();
    YarnNode node = new YarnNode(pool.root(), Home.path());
    node.set("yarn.nodemanager.aux-services.hottub.scan-interval-ms", "5000"); // the default
    node.set("yarn.nodemanager.aux-services.hottub.max-jvms", Integer.toString(JVMS));
    node.set(
        "yarn.nodemanager.aux-services.hottub.max-jvms-per-fingerprint", Integer.toString(JVMS));
    try {
      new PoolLimits(JVMS, JVMS, 900, 1000, 1 << 20).write(pool.directory());
      node.startResourceManager();
      Daemon nodeManager = node.startNodeManager();
      Thread.sleep(20_000); // what it still does after its start
      Cost none = measure(nodeManager.pid(), "0");
      startJvms(pool);
      Cost all = measure(nodeManager.pid(), Integer.toString(JVMS));
      String text =
          """
          # The pool service in an idle NodeManager

          CPU time over %d s, percent of one core. Made by `integration-tests/benchmarks/service`.

          | idle JVMs | the service's thread | the whole NodeManager | its threads |
          |---|---:|---:|---:|
          """
              .formatted(SECONDS);
      Files.createDirectories(REPORT.toAbsolutePath().getParent());
      Files.writeString(REPORT, text + none.row() + all.row());
      System.out.print(Files.readString(REPORT));
      assertTrue(all.service() < 1, "the service takes less than 1 % of a core: " + all);
      assertTrue(all.threads() < none.threads() + JVMS / 2, "no thread for each JVM");
    } finally {
      pool.retireAll();
      node.close();
      pool.close();
    }
  }

  private static void startJvms(Pool pool) throws Exception {
    Path classes = Programs.compile(pool.work().resolve("classes"), "Waits");
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < JVMS; i++) {
      Run run =
          pool.start(
              pool.builder(
                  new ArrayList<>(
                      List.of(Home.JAVA.toString(), "-cp", classes.toString(), "Waits"))));
      runs.add(run.awaitOut("waiting"));
    }
    for (Run run : runs) {
      run.signal("TERM");
      run.await();
    }
    pool.awaitIdle();
    List<KeeperSocket> sockets = pool.sockets();
    assertEquals(JVMS, sockets.size(), "idle JVMs");
  }

  private static Cost measure(long pid, String title) throws Exception {
    double serviceBefore = serviceSeconds(pid);
    double processBefore = cpuSeconds(Path.of("/proc/" + pid + "/stat"));
    Thread.sleep(SECONDS * 1000L);
    double service = serviceSeconds(pid) - serviceBefore;
    double process = cpuSeconds(Path.of("/proc/" + pid + "/stat")) - processBefore;
    try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
      return new Cost(title, 100 * service / SECONDS, 100 * process / SECONDS, threads.count());
    }
  }

  private static double serviceSeconds(long pid) throws IOException {
    double seconds = 0;
    try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
      for (Path thread : threads.toList()) {
        if (Files.readString(thread.resolve("comm")).startsWith("hottub")) {
          seconds += cpuSeconds(thread.resolve("stat"));
        }
      }
    }
    return seconds;
  }

  /** User and system time. */
  private static double cpuSeconds(Path stat) throws IOException {
    String text = Files.readString(stat);
    String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
  }
}
