// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What native code changes in the C library and in the process is that of its run alone. */
@NeedsHome
@Tag("clones")
class NativeStateIT {
  private Pool pool;
  private Path classes;
  private Path library;
  private Path input;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    classes = Programs.compile(pool.work().resolve("classes"), "NativeState");
    library = Programs.compileLibrary(pool.work().resolve("libstate.so"), "native-state");
    input = Files.writeString(pool.work().resolve("input"), "first\nsecond\nthird\n");
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  private ProcessBuilder builder(Path java, String what) {
    List<String> all = new ArrayList<>(List.of("-Xmx64m", "-cp", classes.toString()));
    all.addAll(List.of("NativeState", library.toString()));
    all.addAll(List.of(what.split(" ")));
    ProcessBuilder builder = pool.builder(Pool.command(java, all));
    builder.environment().put("STATE_DEATH_US", "2500000");
    return builder;
  }

  private Outcome run(Path java, String what) throws Exception {
    Outcome outcome = pool.start(builder(java, what).redirectInput(input.toFile())).await();
    outcome = outcome.normalised(text -> text.replace("java-cold: of", "java: of"));
    if (java.equals(Home.JAVA)) {
      pool.awaitIdle();
    }
    return outcome;
  }

  /** Of each the result is that of a stock JVM. */
  private void assertAsOnStock(String... runs) throws Exception {
    for (String what : runs) {
      assertEquals(
          run(Home.COLD_JAVA, what), run(Home.JAVA, what), () -> what + "\n" + pool.logs());
    }
  }

  private void assertServedByOneJvm(String... runs) throws Exception {
    assertAsOnStock(runs);
    pool.assertOneJvmServedLast(runs.length);
  }

  /** Clones end anyway. */
  private void assertRetired(String sentence) throws Exception {
    if (!Pool.CLONES) {
      assertTrue(pool.logs().contains("doubts its state: " + sentence), pool.logs());
    }
  }

  // ---- Streams of the C library

  @Test
  void whatARunHasNotReadIsOfNoOtherRun() throws Exception {
    assertServedByOneJvm("line", "line line line line", "line", "line line");
  }

  /** As is left to a shell whose commands read one after the other. */
  @Test
  void whatARunHasNotReadIsLeftToOthers() throws Exception {
    for (int run = 1; run <= 3; run++) {
      String command = Home.JAVA + " -cp classes NativeState " + library + " line; cat";
      ProcessBuilder shell = pool.builder(List.of("sh", "-c", command));
      Outcome outcome = pool.start(shell.redirectInput(input.toFile())).await();
      assertEquals("main ends\nline: first\nsecond\nthird\n", outcome.out(), pool.logs());
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(3);
  }

  @Test
  void theStandardStreamsAreThoseOfANewProcess() throws Exception {
    assertServedByOneJvm(
        "printf=bytes",
        "wide=1",
        "printf=bytes",
        "buffer-nothing printf=now print=then",
        "printf=late print=first",
        "redirect error",
        "error",
        "close",
        "printf=here",
        "wide=2 close",
        "printf=last");
  }

  @Test
  void theStandardStreamsDoNotUseMemoryOfUnloadedLibraries() throws Exception {
    assertServedByOneJvm("buffer-here printf=kept", "printf=next", "buffer-here", "wide=3");
  }

  /** Nor is anything of it written later. */
  @Test
  void theStandardStreamsOfAKilledRunAreForgotten() throws Exception {
    run(Home.JAVA, "line");
    Run killed =
        pool.start(
            builder(Home.JAVA, "line buffer-here printf=lost print=waiting wait")
                .redirectInput(input.toFile()));
    killed.awaitOut("waiting");
    pool.awaitTraced(2);
    killed.signal("KILL");
    assertEquals(137, killed.await().status());
    pool.awaitIdle();
    assertAsOnStock("line printf=next", "line wide=4");
    pool.assertOneJvmServedLast(4);
  }

  // ---- The C library

  @Test
  void whatTheCLibraryRemembersIsOfTheRun() throws Exception {
    assertServedByOneJvm("stacks", "set-stacks=65536 stacks", "stacks");
    String all =
        "locale=C table domain service resolver no-cancel signal-stack no-children warn=of";
    assertServedByOneJvm(all, all, all);
  }

  @ParameterizedTest
  @CsvSource({"allocation, mallopt", "undo, semop"})
  void whatLastsUntilTheEndOfAProcessEndsTheJvm(String what, String function) throws Exception {
    assertAsOnStock("stacks", what, what);
    assertRetired("native code has called " + function + ", which lasts");
  }

  /** The VM reads some when it starts, and the C library, too. */
  @ParameterizedTest
  @ValueSource(strings = {"-v 6000000", "-s 65536"})
  void softLimitsThatAProcessReadsOnceAreThoseOfTheRun(String limit) throws Exception {
    String java = " -cp classes NativeState " + library + " stacks heap";
    for (String limits : List.of("true", "ulimit -S " + limit, "true", "ulimit -S " + limit)) {
      List<Outcome> outcomes = new ArrayList<>();
      for (Path of : List.of(Home.COLD_JAVA, Home.JAVA)) {
        outcomes.add(
            pool.start(pool.builder(List.of("bash", "-c", limits + " && " + of + java))).await());
        pool.awaitIdle();
      }
      assertEquals(outcomes.get(0), outcomes.get(1), () -> limits + "\n" + pool.logs());
    }
    assertFalse(pool.servedBy().contains(0L), () -> pool.logs());
  }

  // ---- Memory

  /** The container of a later run would be charged for it. */
  @Test
  void nativeMemoryThatRunsDoNotFreeHasABound() throws Exception {
    assertServedByOneJvm("take=100", "take=100", "take=100");
    assertRetired("worn out: 3");
    assertAsOnStock("take=400");
    assertRetired("worn out: 4");
  }

  // ---- The process

  @ParameterizedTest
  @ValueSource(ints = {-1, -2})
  void keysOfARunAreOfNoOther(int keyring) throws Exception {
    String find = "find-key=" + keyring;
    assertAsOnStock(find, "add-key=" + keyring + " " + find, find);
    // Elsewhere the kernel has refused it.
    if (run(Home.COLD_JAVA, "add-key=" + keyring + " " + find).out().contains("find-key: 1")) {
      assertRetired("the run has made a keyring of its process");
    }
  }

  @Test
  void theLimitOfFilesIsThatOfTheRun() throws Exception {
    assertServedByOneJvm("limit-files=300", "limit-files=40", "limit-files=300");
  }

  /** Also those of the JVM itself. */
  @Test
  void aRunMayCloseAllDescriptors() throws Exception {
    for (String end : List.of("print=end exit=3", "list-files", "error exit=0")) {
      assertAsOnStock("printf=one", "printf=two close-all " + end);
    }
  }

  @Test
  void aRunThatHasClosedAllDescriptorsCanBeKilled() throws Exception {
    for (String signal : List.of("KILL", "TERM")) {
      Outcome stock = killed(Home.COLD_JAVA, signal); // a stock JVM does not get over TERM then
      assertEquals(stock, killed(Home.JAVA, signal), () -> signal + "\n" + pool.logs());
      pool.awaitIdle();
    }
  }

  private Outcome killed(Path java, String signal) throws Exception {
    Run run = pool.start(builder(java, "close-all print=waiting wait"));
    run.awaitOut("waiting");
    run.signal(signal);
    return run.await();
  }

  @Test
  void childrenOfNativeCodeHaveNoDescriptorsOfTheJvm() throws Exception {
    assertServedByOneJvm("list-files", "list-files", "list-files");
  }

  // ---- Libraries

  /** Static ones, of which a process has room for few. */
  @Test
  void thereIsRoomForThreadLocalVariablesInEachRun() throws Exception {
    List<String> open = new ArrayList<>();
    for (String name : List.of("libone.so", "libtwo.so", "libthree.so")) {
      open.add("open=" + Programs.compileLibrary(pool.work().resolve(name), "static-tls"));
    }
    assertServedByOneJvm(open.get(0), open.get(1), open.get(2), open.get(0));
    for (int i = 0; i < 6; i++) {
      assertAsOnStock(open.get(i % 3) + " " + open.get((i + 1) % 3));
    }
    assertRetired("library lib");
  }

  // ---- The VM

  @Test
  void mainLeavesTheMonitorsOfNativeCode() throws Exception {
    assertServedByOneJvm("lock", "enter enter", "lock", "enter exit=3", "lock enter lock", "lock");
  }

  @Test
  void aThreadThatEndsWithAMonitorEndsTheJvm() throws Exception {
    assertAsOnStock("thread=enter", "lock");
    assertRetired("a thread of the run has ended with a monitor");
  }

  /** As an agent: it is called until the end of the process, however long that takes. */
  @Test
  void whatAsksForEventsHearsOfThemUntilTheEnd() throws Exception {
    String twice = "listen thread=printf thread=printf";
    assertAsOnStock("printf=a", twice, "printf=b", twice + " exit=3", "printf=c");
    if (!Pool.CLONES) {
      assertTrue(pool.logs().contains("cannot end the run: an agent was loaded"), pool.logs());
    }
  }

  @Test
  void whatAsksForEventsIsKilledWithItsRun() throws Exception {
    for (int i = 1; i <= 2; i++) {
      Run killed = pool.start(builder(Home.JAVA, "listen print=waiting wait"));
      killed.awaitOut("waiting");
      pool.awaitTraced(i);
      killed.signal("KILL");
      assertEquals(new Outcome(137, "waiting\n", ""), killed.await());
      pool.awaitIdle();
    }
  }
}
