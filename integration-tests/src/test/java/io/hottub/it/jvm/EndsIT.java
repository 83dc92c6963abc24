// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs that end while their threads are anywhere in the class library say nothing of it, and leave
 * nothing there that a later run meets. What only chance brings about needs the long one.
 */
@NeedsHome
@Tag("clones")
class EndsIT {
  private static final int SOME = 60;
  private static final int MANY = 2000;
  private static final int WAYS = 4;
  private static final Pattern DOUBT = Pattern.compile("the JVM doubts its state: [^\n]*");

  private Pool pool;
  private Path classes;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    classes = Programs.compile(pool.work().resolve("classes"), "Ends");
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  @Test
  void nobodyHearsOfAnEnd() throws Exception {
    assertSilent(SOME);
  }

  @Tag("long")
  @Test
  void nobodyHearsOfManyEnds() throws Exception {
    assertSilent(MANY);
  }

  private void assertSilent(int runs) throws Exception {
    for (int seed = 0; seed < runs; seed++) {
      int status = seed % WAYS;
      Outcome outcome =
          pool.run("-cp", classes.toString(), "Ends", seed + "", Integer.toString(status));
      assertEquals(new Outcome(status, "", ""), outcome, "seed " + seed);
    }
    long warm =
        Files.readAllLines(pool.trace()).stream()
            .filter(line -> line.contains("\"warm\":true"))
            .count();
    long doubts = DOUBT.matcher(pool.logs()).results().count();
    System.out.printf("ends: %d runs, %d warm, %d doubts%n", runs, warm, doubts);
    DOUBT.matcher(pool.logs()).results().forEach(doubt -> System.out.println(doubt.group()));
    assertTrue(warm > runs / 2, () -> warm + " warm runs\n" + pool.logs());
  }
}
