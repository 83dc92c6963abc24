// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A run that has no stack or memory left within the class library leaves nothing half done. */
@NeedsHome
class ExhaustedIT {
  private Pool pool;
  private Path classes;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    classes = Programs.compile(pool.work().resolve("classes"), "Exhausts", "Small");
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  private Outcome run(Path java, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(java.toString(), "-Xmx16m", "-XX:+UseSerialGC"));
    command.addAll(List.of("-cp", classes.toString(), "Exhausts"));
    command.addAll(List.of(arguments));
    Outcome outcome = pool.start(pool.builder(command)).await();
    pool.awaitIdle();
    return outcome;
  }

  /** The first run of a JVM is the one that makes the class library remember things. */
  @ParameterizedTest
  @CsvSource({"stack, 5", "stack, 11", "stack, 16", "memory, 0"})
  void theNextRunFindsTheClassLibraryWhole(String without, String first) throws Exception {
    Outcome stock = run(Home.COLD_JAVA);
    assertTrue(stock.status() == 0 && !stock.out().contains("caused by"), stock.toString());
    Outcome exhausted = run(Home.JAVA, without, first);
    assertEquals(0, exhausted.status(), exhausted.toString());
    for (int round = 0; round < 2; round++) {
      assertEquals(stock, run(Home.JAVA), pool.logs());
    }
  }

  /** A map that is garbage has been left as it is by whoever has finished. */
  @Test
  void whatCleanersLeaveIsNotHalfDone() throws Exception {
    Programs.compile(classes, "Cleans");
    for (int round = 0; round < 3; round++) {
      pool.start(
              pool.builder(
                  List.of(
                      Home.JAVA.toString(),
                      "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
                      "-cp",
                      classes.toString(),
                      "Cleans")))
          .await();
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(3);
  }
}
