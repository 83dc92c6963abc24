// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.hive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.HiveHome;
import io.hottub.it.harness.HiveOnYarn;
import io.hottub.it.harness.HiveQueries;
import io.hottub.it.harness.HiveSession;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.ServedRuns;
import io.hottub.it.harness.YarnNode;
import io.hottub.it.hive.HivePairs.Timed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Ten queries in pairs of sessions, all in one session and each in one of its own; and with
 * HiveServer2 in the pool as well. Times are left in {@code target/hive}.
 */
@NeedsHome
@Tag("long")
class HiveQueriesIT extends HiveOnYarn {
  private static final int PAIRS = Integer.getInteger("hottub.test.pairs", 1);

  /** Of the order of queries, which is another one in each pair. */
  private static final long SEED = Long.getLong("hottub.test.seed", System.currentTimeMillis());

  /** More settings of sessions on both sides, {@code name=value;...}. */
  private static final String SETTINGS = System.getProperty("hottub.test.settings", "");

  private static final Path RESULTS = Path.of("target/hive");

  private String stock;
  private Map<String, String> expected;

  @Override
  protected List<String> scripts() {
    return List.of("few-queries.sql", "more-queries.sql");
  }

  /** Logs of containers stay until they are copied. */
  @Override
  protected void configure(YarnNode node) {
    node.set("yarn.nodemanager.log.retain-seconds", "36000");
  }

  @AfterAll
  void keepLogsOfMasters() throws IOException {
    Path logs = node.dir().resolve("logs");
    try (Stream<Path> files = Files.find(logs, 3, (file, about) -> isLogOfMaster(file))) {
      for (Path file : files.toList()) {
        Path copy = RESULTS.resolve("logs").resolve(logs.relativize(file));
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private static boolean isLogOfMaster(Path file) {
    return file.getFileName().toString().startsWith("syslog")
        && file.getParent().getFileName().toString().endsWith("_000001");
  }

  @BeforeAll
  void runOnStock() throws Exception {
    HiveSession session = session(Home.STOCK_JAVA, "");
    stock = session.out();
    expected = session.results();
    assertTrue(stock.contains("orc\t20000\t1009817.00"), stock);
    assertEquals(1, stock.split("fails, ").length - 1, stock);
    assertEquals(10, expected.size(), stock);
  }

  @Test
  @Timeout(7200)
  void pairsOfSessionsOfAll() throws Exception {
    warmUp();
    HivePairs pairs = new HivePairs();
    for (int pair = 1; pair <= PAIRS; pair++) {
      HiveQueries mixed = mixed(pair);
      for (boolean onStock : sides(pair)) {
        pairs.add(run("all in one session", mixed, onStock, pair, pairs));
      }
      pairs.write(RESULTS, "sessions", "Ten queries in one session of HiveServer2");
    }
    System.out.println(pairs.table());
  }

  @Test
  @Timeout(7200)
  void pairsOfSessionsOfOne() throws Exception {
    warmUp();
    HivePairs pairs = new HivePairs();
    for (int pair = 1; pair <= PAIRS; pair++) {
      for (HiveQueries one : mixed(pair).single()) {
        for (boolean onStock : sides(pair)) {
          pairs.add(run(one.names().get(0), one, onStock, pair, new HivePairs()));
        }
      }
      pairs.write(RESULTS, "queries", "Queries of Hive on Tez, each in a session of its own");
    }
    System.out.println(pairs.table());
  }

  @Test
  void theServerAndTheClientArePooledToo() throws Exception {
    for (int run = 0; run < 2; run++) {
      int former = ServedRuns.journalled(pool);
      hive.restartServer(Home.JAVA);
      assertWarmAndEqual(stock, Home.JAVA);
      hive.stopServer();
      pool.awaitIdle();
      List<String> served = served(former);
      assertTrue(served.contains("HiveScript warm"), pool::logs);
      assertTrue(run == 0 || served.contains(HiveHome.SERVER + " warm"), pool::logs);
    }
  }

  private void warmUp() throws Exception {
    hive.restartServer(Home.STOCK_JAVA);
    assertWarmAndEqual(stock, Home.JAVA);
  }

  private HiveQueries mixed(int pair) {
    HiveQueries mixed = queries.mixed(SEED + pair);
    System.out.printf("pair %d, seed %d: %s%n", pair, SEED, mixed.names());
    return mixed;
  }

  /** On stock JVMs, and which of the two is first. */
  private static List<Boolean> sides(int pair) {
    return pair % 2 == 1 ? List.of(true, false) : List.of(false, true);
  }

  /** Its queries are added to {@code each}. */
  private Timed run(String name, HiveQueries some, boolean onStock, int pair, HivePairs each)
      throws Exception {
    int former = ServedRuns.journalled(pool);
    long before = SessionCpu.atRest();
    long serverBefore = hive.serverCpuMillis();
    HiveSession session =
        onStock
            ? session(Home.STOCK_JAVA, SETTINGS, some)
            : session(Home.JAVA, HOTTUB + ";" + SETTINGS, some);
    long cpu = SessionCpu.atRest() - before;
    long serverCpu = hive.serverCpuMillis() - serverBefore;
    Map<String, String> results = new TreeMap<>(expected);
    results.keySet().retainAll(some.names());
    assertEquals(results, session.results());
    session
        .queryMillis()
        .forEach((query, millis) -> each.add(new Timed(query, onStock, pair, millis, 0, 0, 0, 0)));
    List<String> containers =
        ServedRuns.since(pool, former).stream().filter(served -> served.contains(".tez.")).toList();
    Timed timed =
        new Timed(
            name,
            onStock,
            pair,
            session.millis(),
            cpu,
            serverCpu,
            containers.size(),
            containers.stream().filter(served -> served.endsWith(" warm")).count());
    System.out.println(timed);
    return timed;
  }
}
