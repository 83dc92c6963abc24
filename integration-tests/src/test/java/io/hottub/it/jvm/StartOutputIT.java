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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a stock JVM says when it starts, every run in a pooled JVM says too. */
@SuppressWarnings("try") // close waits for others; an interrupt fails the test
@NeedsHome
class StartOutputIT {
  private static final int RUNS = 3;

  @ParameterizedTest
  @CsvSource({
    "--add-modules=jdk.incubator.vector, Using incubator modules",
    "--add-opens=no.such.module/p=ALL-UNNAMED, Unknown module",
    "--illegal-access=deny, Ignoring option",
    "-XX:+UseBiasedLocking, deprecated",
    "-noverify, deprecated",
    "-XX:CompileOnly=no.Such, compileonly",
    // As Spark 4 has it.
    "-XX:+IgnoreUnrecognizedVMOptions --sun-misc-unsafe-memory-access=allow, ''"
  })
  void isThatOfAStockJvm(String options, String warning) throws Exception {
    try (Pool pool = new Pool()) {
      Path classes = Programs.compile(pool.work().resolve("classes"), "Exits");
      List<String> arguments = new ArrayList<>(List.of(options.split(" ")));
      arguments.addAll(List.of("-Xmx64m", "-cp", classes.toString(), "Exits", "return"));
      Outcome stock = pool.cold(arguments);
      assertTrue(stock.toString().contains(warning), stock.toString());
      for (int i = 1; i <= RUNS; i++) {
        assertEquals(stock, pool.run(arguments), "run " + i);
        pool.awaitIdle();
      }
      pool.assertOneJvmServedLast(RUNS);
    }
  }

  /** The pipe is full when the run begins, for longer than a JVM may take to begin one. */
  @Test
  void waitsForWhoeverReadsIt() throws Exception {
    try (Pool pool = new Pool()) {
      Path classes = Programs.compile(pool.work().resolve("classes"), "Exits");
      String command =
          "(head -c 65536 /dev/zero; %s --illegal-access=deny -Xmx64m -cp %s Exits return 2>&1; echo $?)"
              + " | (sleep 7; tr -d '\\0')";
      String warned = "OpenJDK 64-Bit Server VM warning: Ignoring option --illegal-access=deny";
      for (int i = 1; i <= 2; i++) {
        String out =
            pool.start(
                    pool.builder(
                        List.of("sh", "-c", command.formatted(Home.JAVA, classes.toString()))))
                .await()
                .out();
        assertTrue(out.startsWith(warned), out);
        assertTrue(out.endsWith("\n0\n"), out + pool.logs());
        pool.awaitIdle();
      }
      pool.assertOneJvmServedLast(2);
    }
  }
}
