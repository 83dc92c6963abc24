// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every run may use what a new JVM of its options has: nothing adds up. */
@NeedsHome
@Tag("clones")
class HeadroomIT {
  private static final int RUNS = 8;

  private Pool pool;
  private Path classes;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    classes = Programs.compile(pool.work().resolve("classes"), "Fills");
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  /** Most of what a stock JVM can hold, and more than it can. */
  @ParameterizedTest
  @CsvSource({
    "-XX:+UseSerialGC -Xmx24m, heap, 20, 30",
    "-XX:+UseParallelGC -Xmx24m, heap, 19, 30",
    "-XX:+UseG1GC -Xmx24m, heap, 9, 30",
    "-XX:MaxMetaspaceSize=12m, classes, 1200, 6000",
  })
  void aRunHasAllOfIt(String options, String what, int fits, int more) throws Exception {
    for (int run = 0; run < RUNS; run++) {
      for (int count : run % 2 == 0 ? List.of(fits) : List.of(more, fits)) {
        List<String> arguments = new ArrayList<>(Arrays.asList(options.split(" ")));
        arguments.addAll(List.of("-cp", classes.toString(), "Fills", what, "" + count));
        Outcome outcome = pool.run(arguments);
        assertEquals(count == fits ? 0 : 1, outcome.status(), () -> outcome + pool.logs());
        String expected = count == fits ? count + "\n" : "";
        assertEquals(expected, outcome.out(), () -> "run " + outcome + pool.logs());
        pool.awaitIdle();
      }
    }
  }
}
