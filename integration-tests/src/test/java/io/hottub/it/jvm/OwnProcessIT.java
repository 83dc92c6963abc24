// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import io.hottub.it.harness.Run;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A run is the process that its caller has started: files and locks with its pid are its own, and a
 * pid that is left of it leads to no other run.
 */
@NeedsHome
@Tag("clones")
class OwnProcessIT {
  private static final int RUNS = 3;

  private Pool pool;
  private Path classes;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    classes = Programs.compile(pool.work().resolve("classes"), "Own");
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  private void check(Path java) throws Exception {
    List<String> arguments = List.of("-Dsome=thing", "-cp", classes.toString(), "Own", "argument");
    Run run = pool.start(pool.builder(Pool.command(java, arguments)));
    Outcome outcome = run.await();
    String pid = Long.toString(run.pid());
    String expected =
        List.of(
                "pid " + pid,
                "of the VM " + pid,
                "name " + pid,
                "parent " + ProcessHandle.current().pid(),
                "line " + String.join(" ", Pool.command(java.toRealPath(), arguments)),
                "has used time true",
                "is found true",
                "is one of all true",
                "is a parent true",
                "has a child true",
                "descendants 2",
                "destroy of current process not allowed")
            .stream()
            .reduce("", (text, line) -> text + line + "\n");
    assertEquals(new Outcome(0, expected, ""), outcome, pool.logs());
    assertEquals(Optional.empty(), ProcessHandle.of(run.pid()), "the process has ended");
  }

  @Test
  void successiveRunsAreTheProcessesThatTheirCallerHasStarted() throws Exception {
    check(Home.STOCK_JAVA);
    for (int run = 0; run < RUNS; run++) {
      check(Home.JAVA);
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(RUNS);
  }
}
