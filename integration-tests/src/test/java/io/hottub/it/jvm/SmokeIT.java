// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The whole way of a run, in seconds: the one integration test of the short loop. */
@NeedsHome
class SmokeIT {
  private static final int RUNS = 3;

  private Pool pool;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  @Test
  void oneJvmServesRunsThatEndAsTheColdOne() throws Exception {
    Path classes = Programs.compile(pool.work().resolve("classes"), "Small");
    List<String> arguments = List.of("-cp", classes.toString(), "Small");
    Outcome cold = pool.cold(arguments);
    for (int run = 1; run <= RUNS; run++) {
      assertEquals(List.of(), pool.run(arguments).differences(cold), "run " + run);
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(RUNS);
  }
}
