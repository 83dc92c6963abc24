// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What HotSpot does at the first OutOfMemoryError it does in every run, not once in a JVM. */
@NeedsHome
@Tag("clones")
class OutOfMemoryIT {
  private static final int RUNS = 3;

  private Pool pool;
  private Path classes;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    classes = Programs.compile(pool.work().resolve("classes"), "Exits");
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  private Outcome run(Path java, String options) throws Exception {
    List<String> command = new ArrayList<>(List.of(java.toString(), "-Xmx64m"));
    command.addAll(options.isEmpty() ? List.of() : List.of(options.split("[|]", -1)));
    command.addAll(List.of("-cp", classes.toString(), "Exits", "out-of-memory"));
    return pool.start(pool.builder(command))
        .await()
        .normalised(
            text ->
                text.replaceAll("pid=\\d+, tid=\\d+", "pid, tid")
                    .replaceAll("pid\\d+", "pid")
                    .replaceAll("core\\.\\d+", "core")
                    .replaceAll("\\[\\d+ bytes in [0-9.]+ secs]", "[size and time]"));
  }

  /** How many files of this kind there are; deletes them. */
  private int takeFiles(String kind) throws Exception {
    List<Path> found;
    try (Stream<Path> files = Files.list(pool.work())) {
      found = files.filter(file -> file.getFileName().toString().matches(kind)).toList();
    }
    for (Path file : found) {
      Files.delete(file);
    }
    return found.size();
  }

  /** By the process that the caller knows. A file of a former run stays, and nothing is lost. */
  @Test
  void dumpsOfSuccessiveRunsHaveNamesOfTheirOwn() throws Exception {
    for (int round = 0; round < RUNS; round++) {
      String dump = "-XX:+HeapDumpOnOutOfMemoryError";
      Run run = pool.start("-Xmx64m", dump, "-cp", classes.toString(), "Exits", "out-of-memory");
      String name = "java_pid" + run.pid() + ".hprof";
      Outcome outcome = run.await();
      assertTrue(outcome.out().contains("Dumping heap to " + name), outcome.toString());
      assertTrue(Files.size(pool.work().resolve(name)) > 0, name);
      pool.awaitIdle();
    }
    assertEquals(RUNS, takeFiles("java_pid\\d+\\.hprof"));
  }

  @ParameterizedTest
  @CsvSource({
    "'', true",
    "-XX:OnOutOfMemoryError=echo out of memory, true",
    "-XX:OnOutOfMemoryError=echo one|-XX:OnOutOfMemoryError=|-XX:OnOutOfMemoryError=echo 2, true",
    "-XX:+HeapDumpOnOutOfMemoryError, true",
    "-XX:+ExitOnOutOfMemoryError, false",
    "-XX:+CrashOnOutOfMemoryError, false"
  })
  void everyRunDoesWhatItsOptionsSay(String options, boolean stays) throws Exception {
    boolean tellsMore = Home.IS_DEBUG && options.equals("-XX:+CrashOnOutOfMemoryError");
    assumeFalse(tellsMore, "a debug build of HotSpot tells how to suppress its report");
    Outcome stock = run(Home.COLD_JAVA, options);
    int dumps = takeFiles("java_pid\\d+\\.hprof");
    int reports = takeFiles("hs_err_pid\\d+\\.log");
    takeFiles("core.*");
    for (int i = 1; i <= RUNS; i++) {
      // The run itself is never the first of its JVM.
      assertEquals(1, run(Home.JAVA, "").status());
      pool.awaitIdle();
      assertEquals(stock, run(Home.JAVA, options), () -> pool.logs());
      pool.awaitIdle();
      assertEquals(dumps, takeFiles("java_pid\\d+\\.hprof"), "heap dumps");
      assertEquals(reports, takeFiles("hs_err_pid\\d+\\.log"), "reports of crashes");
      takeFiles("core.*");
      pool.assertOneJvmServedLast(2);
    }
    if (stays) {
      pool.assertOneJvmServedLast(2 * RUNS);
    }
  }
}
