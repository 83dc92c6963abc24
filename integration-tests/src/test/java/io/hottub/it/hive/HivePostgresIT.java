// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.hive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.HiveHome;
import io.hottub.it.harness.HiveMetastore;
import io.hottub.it.harness.HiveOnYarn;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Postgres;
import io.hottub.it.harness.ServedRuns;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * As in {@link HiveIT}, with the metastore in a process of its own, its tables in PostgreSQL, and a
 * table with transactions.
 */
@NeedsHome
@Tag("long")
class HivePostgresIT extends HiveOnYarn {
  private Postgres database;
  private HiveMetastore metastore;

  @Override
  protected List<String> scripts() {
    return List.of("few-queries.sql", "transactions.sql");
  }

  @Override
  protected void prepare(HiveHome server) throws Exception {
    database = new Postgres();
    metastore = new HiveMetastore(server, database);
    server.set("hive.metastore.uris", metastore.uri());
    server.set("hive.support.concurrency", "true");
    server.set("hive.txn.manager", "org.apache.hadoop.hive.ql.lockmgr.DbTxnManager");
    metastore.start(Home.STOCK_JAVA);
  }

  @BeforeEach
  void startMetastoreOnStock() throws Exception {
    metastore.restart(Home.STOCK_JAVA);
  }

  @AfterAll
  void stopMetastore() throws Exception {
    try {
      if (metastore != null) {
        hive.stopServer();
        metastore.stop();
      }
    } finally {
      if (database != null) {
        database.close();
      }
    }
  }

  @Test
  void everyContainerAndTheMetastoreAreWarm() throws Exception {
    String stock = session(Home.STOCK_JAVA, "").out();
    assertTrue(stock.contains("ASSERT_TRUE(): assertion failed."), stock);
    assertEquals(1, stock.split("fails, ").length - 1, stock);
    assertTrue(stock.contains("\n-1\t44\t4110\n"), stock);
    assertEquals(
        List.of("4"),
        database.query("SELECT count(*) FROM \"PARTITIONS\""),
        "partitions of the table are in PostgreSQL");

    for (int run = 0; run < 2; run++) {
      int former = ServedRuns.journalled(pool);
      metastore.restart(Home.JAVA);
      assertWarmAndEqual(stock, Home.JAVA);
      metastore.stop();
      pool.awaitIdle();
      assertTrue(run == 0 || served(former).contains(HiveMetastore.SERVER + " warm"), pool::logs);
    }
  }

  @Test
  void theCommandLineIsWarmTheSecondTime() throws Exception {
    assertShellIsWarm(
        HiveHome.COMMAND_LINE,
        "category0\t40\ncategory1\t40\ncategory2\t40\ncategory3\t40\ncategory4\t40\n",
        pooled ->
            hive.commandLine(
                pooled ? Home.JAVA : Home.STOCK_JAVA,
                pooled ? HOTTUB : "",
                "SELECT category, count(*) FROM shop.item GROUP BY category ORDER BY category"));
  }
}
