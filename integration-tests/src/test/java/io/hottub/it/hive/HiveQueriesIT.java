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
      HiveSession first = session(stockFirst);
      HiveSession second = session(!stockFirst);
      assertEquals(stock, first.out());
      assertEquals(stock, second.out());
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

  private HiveSession session(boolean stock) throws Exception {
    Path java = stock ? Home.STOCK_JAVA : Home.JAVA;
    return session(java, stock ? "" : HOTTUB);
  }
}
