// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import io.hottub.it.harness.Run;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
    classes = Programs.compile(pool.work().resolve("classes"), "Own", "OwnFiles", "OwnRecording");
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  private interface Check {
    void run(Path java) throws Exception;
  }

  private void onStockAndInThePool(Check check) throws Exception {
    check.run(Home.STOCK_JAVA);
    for (int run = 0; run < RUNS; run++) {
      check.run(Home.JAVA);
      assertNotEquals(0, pool.servedLast(), () -> pool.logs());
      pool.awaitIdle();
    }
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
    onStockAndInThePool(this::check);
    pool.assertOneJvmServedLast(RUNS);
  }

  private void checkFiles(Path java) throws Exception {
    Path open = Files.writeString(pool.work().resolve("open"), "");
    List<String> command =
        Pool.command(java, List.of("-cp", classes.toString(), "OwnFiles", open.toString()));
    ProcessBuilder builder = pool.builder(command);
    builder.environment().put("OWN", "of the run");
    Run run = pool.start(builder);
    long parent = ProcessHandle.current().pid();
    String[] test =
        Files.readString(Path.of("/proc/self/stat")).replaceAll(".*\\) ", "").split(" ", -1);
    List<String> process =
        List.of(
            "pid " + run.pid(),
            "parent " + parent,
            "group " + test[2],
            "session " + test[3],
            "its time is that of the process true",
            "time of children 0",
            "holds memory true",
            "status has memory true",
            "Name:\tjava",
            "Pid:\t" + run.pid(),
            "PPid:\t" + parent,
            "threads true",
            "tasks true",
            "can look at one true true true",
            "has the file true",
            "line " + String.join(" ", command) + " ",
            "program " + java.toRealPath(),
            "real program " + java.toRealPath(),
            "is in the environment true");
    List<String> expected = new ArrayList<>();
    expected.add("self " + run.pid());
    expected.addAll(List.of("real true", "canonical true", "canonical task true"));
    expected.addAll(process); // by its pid
    expected.addAll(process); // by /proc/self
    expected.add("has the child true");
    assertEquals(new Outcome(0, String.join("\n", expected) + "\n", ""), run.await(), pool.logs());
  }

  /** Tasks of MapReduce and Tez measure themselves so. */
  @Test
  void filesBelowProcAreThoseOfTheRun() throws Exception {
    onStockAndInThePool(this::checkFiles);
    pool.assertOneJvmServedLast(RUNS);
  }

  private void checkRecording(Path java) throws Exception {
    Path recording = pool.work().resolve("recording.jfr");
    List<String> arguments =
        List.of("-cp", classes.toString(), "OwnRecording", recording.toString());
    Run run = pool.start(pool.builder(Pool.command(java, arguments)));
    String expected = "folder %d\nrecording %d\n".formatted(run.pid(), run.pid());
    assertEquals(new Outcome(0, expected, ""), run.await(), pool.logs());
  }

  @Test
  void recordingsNameTheProcessThatTheirCallerHasStarted() throws Exception {
    onStockAndInThePool(this::checkRecording);
  }
}
