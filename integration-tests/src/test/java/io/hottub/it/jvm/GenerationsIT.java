// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import io.hottub.it.harness.Run;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Templates that were trained with other work than their clones do. */
@NeedsHome
class GenerationsIT {
  private static final Pattern COMPILED =
      Pattern.compile("the run of a clone has compiled (\\d+) methods");

  private Pool pool;
  private Path classes;
  private Outcome stock;

  @BeforeEach
  void trainWithLittle() throws Exception {
    pool = new Pool();
    Files.writeString(pool.userFolder().resolve("limits"), "isolation clone\ntraining_runs 1\n");
    classes = Programs.compile(pool.work().resolve("classes"), "Small", "Formats");
    stock = pool.stock(of("Formats"));
    assertEquals(0, pool.run(of("Small")).status());
    pool.awaitIdle();
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  private List<String> of(String program) {
    return List.of("-cp", classes.toString(), program, "once");
  }

  private long template() throws Exception {
    List<Path> links = pool.files("template");
    return links.isEmpty() ? 0 : Long.parseLong(Files.readSymbolicLink(links.get(0)).toString());
  }

  private boolean logged(String text) throws Exception {
    return pool.logs().contains(text);
  }

  /** What a run in a clone compiles. */
  private int compilations() throws Exception {
    List<Integer> earlier = compiled();
    assertEquals(List.of(), pool.run(of("Formats")).differences(stock), pool::logs);
    Run.await("its keeper has said it", () -> compiled().size() > earlier.size());
    return sum(compiled()) - sum(earlier);
  }

  private static int sum(List<Integer> numbers) {
    return numbers.stream().mapToInt(Integer::intValue).sum();
  }

  private List<Integer> compiled() throws Exception {
    return COMPILED.matcher(pool.logs()).results().map(m -> Integer.valueOf(m.group(1))).toList();
  }

  @Test
  void aTemplateWhoseClonesCompileMuchIsFollowedByOneThatTheyHaveTrained() throws Exception {
    long first = template();
    int before = compilations();
    for (int run = 0; run < 20 && template() == first; run++) {
      assertEquals(List.of(), pool.run(of("Formats")).differences(stock), pool::logs);
      pool.awaitIdle();
    }
    assertTrue(logged("generation 1 is to be trained"), pool::logs);
    assertNotEquals(first, template(), pool::logs);
    Run.await("the first template has ended", () -> Run.hasEnded(first));
    pool.awaitIdle();

    int after = compilations();
    assertTrue(after < before / 2, () -> before + ", then " + after + pool.logs());
  }

  /** There is one for each run, and whoever looks for JVMs reads the names of all. */
  @Test
  void aCloneThatHasServedLeavesNoLog() throws Exception {
    compilations();
    long clone = pool.servedLast();
    Run.await("its log is gone", () -> !pool.logs().contains("JVM " + clone));
  }
}
