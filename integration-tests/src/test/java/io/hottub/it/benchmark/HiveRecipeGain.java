// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.it.benchmark.RecipeRounds.Start;
import io.hottub.it.benchmark.RecipeRounds.Took;
import io.hottub.it.harness.HiveOnYarn;
import io.hottub.it.harness.HiveSession;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.ServedRuns;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What recipes bring to a session of Hive. Run by {@code integration-tests/benchmarks/recipes}. */
@NeedsHome
class HiveRecipeGain extends HiveOnYarn implements RecipeRounds.Bench {
  /** The master, and two for tasks: the second comes before those of the first have ended. */
  private static final int CONTAINERS = 3;

  private String answer;

  @Override
  protected List<String> scripts() {
    return List.of("one-query.sql");
  }

  @Override
  public Took run(Start start) throws Exception {
    int former = ServedRuns.journalled(pool);
    HiveSession session = session(Home.STOCK_JAVA, start == Start.STOCK ? "" : HOTTUB);
    assertEquals(answer, session.out(), start.title);
    long warm = ServedRuns.since(pool, former).stream().filter(WARM::contains).count();
    long query = session.queryMillis().values().iterator().next();
    return new Took(session.millis(), query, (int) warm);
  }

  @Test
  void measure() throws Exception {
    answer = session(Home.STOCK_JAVA, "").out();
    String deadline = "deadline-seconds = 240\n";
    List<String> made = recipesOf(queries);
    Map<String, String> recipes =
        Map.of("master", made.get(0) + deadline, "task", made.get(1) + deadline + "min-idle = 2\n");
    new RecipeRounds(this, node, pool, CONTAINERS, 0)
        .measure(
            recipes,
            "Hive 4.0.1 on Tez 0.10.5, a session of HiveServer2 with one query, which joins three"
                + " tables and groups 20,000 rows (application master, and two containers for"
                + " its tasks); the recipes train with `io.hottub.tez.Trainer`. Server and client are"
                + " stock JVMs in all rows.",
            "the session",
            "the query");
  }
}
