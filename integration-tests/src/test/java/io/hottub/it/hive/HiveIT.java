// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.hive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.HiveHome;
import io.hottub.it.harness.HiveOnYarn;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.ServedRuns;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Hive on Tez in the pool, by one setting of the session. */
@NeedsHome
class HiveIT extends HiveOnYarn {
  @Override
  protected List<String> scripts() {
    return List.of("few-queries.sql");
  }

  @Test
  void everyContainerOfALaterSessionIsWarm() throws Exception {
    int former = ServedRuns.journalled(pool);
    String stock = session(Home.STOCK_JAVA, "").out();
    assertTrue(stock.contains("ASSERT_TRUE(): assertion failed."), stock);
    assertEquals(1, stock.split("fails, ").length - 1, stock);
    assertEquals(former, ServedRuns.journalled(pool), "nothing is in the pool without the setting");

    assertWarmAndEqual(stock, Home.STOCK_JAVA);
  }

  @Tag("long")
  @Test
  void beelineIsWarmTheSecondTime() throws Exception {
    assertShellIsWarm(
        HiveHome.BEELINE,
        "category,c\ncategory0,40\ncategory1,40\ncategory2,40\ncategory3,40\ncategory4,40\n",
        pooled ->
            hive.beeline(
                pooled ? Home.JAVA : Home.STOCK_JAVA,
                pooled ? HOTTUB : "",
                "SELECT category, count(*) c FROM shop.item GROUP BY category ORDER BY category"));
  }
}
