// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.hive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.HiveHome;
import io.hottub.it.harness.HiveOnYarn;
import io.hottub.it.harness.HiveSession;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.ServedRuns;
import io.hottub.it.hive.HivePairs.Timed;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** All queries, in pairs of sessions, and with HiveServer2 in the pool as well. */
@NeedsHome
class HiveQueriesIT extends HiveOnYarn {
  private static final int PAIRS = Integer.getInteger("hottub.test.pairs", 1);

  private String stock;

  @Override
  protected List<String> scripts() {
    return List.of("few-queries.sql", "more-queries.sql");
  }

  @BeforeAll
  void runOnStock() throws Exception {
    stock = session(Home.STOCK_JAVA, "").out();
    assertTrue(stock.contains("orc\t20000\t1009817.00"), stock);
    assertEquals(1, stock.split("fails, ").length - 1, stock);
  }

  @Test
  void pairsOfSessions() throws Exception {
    hive.restartServer(Home.STOCK_JAVA);
    assertWarmAndEqual(stock, Home.JAVA);
    HivePairs pairs = new HivePairs();
    for (int pair = 0; pair < PAIRS; pair++) {
      boolean stockFirst = pair % 2 == 0;
      Timed first = session(stockFirst);
      Timed second = session(!stockFirst);
      pairs.add(stockFirst ? first : second, stockFirst ? second : first);
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

  private Timed session(boolean onStock) throws Exception {
    Path java = onStock ? Home.STOCK_JAVA : Home.JAVA;
    long before = SessionCpu.millis();
    HiveSession session = session(java, onStock ? "" : HOTTUB);
    Timed timed = new Timed(session, SessionCpu.millis() - before);
    assertEquals(stock, session.out());
    System.out.printf(
        "%s: %d ms, processor %d ms%n",
        onStock ? "stock" : "HotTub", session.millis().get("the session"), timed.cpuMillis());
    return timed;
  }
}
