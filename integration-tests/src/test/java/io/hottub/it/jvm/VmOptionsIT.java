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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Options of the VM in several runs of one pooled JVM, beside the distribution's JVM. */
@NeedsHome
class VmOptionsIT {
  private static final int RUNS = 3;

  private Pool pool;
  private Path classes;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    classes = Files.createDirectory(pool.work().resolve("classes"));
    Programs.compile(classes, "Collects", "Commands", "Exits", "Guarded", "Strains");
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  private List<String> arguments(String options, String... program) {
    List<String> arguments = new ArrayList<>(List.of("-Xmx64m"));
    Stream.of(options.split(" ")).filter(word -> !word.isEmpty()).forEach(arguments::add);
    arguments.addAll(List.of("-cp", classes.toString()));
    arguments.addAll(List.of(program));
    return arguments;
  }

  private Outcome pooled(List<String> arguments) throws Exception {
    Outcome outcome = pool.run(arguments);
    pool.awaitIdle();
    return outcome;
  }

  private Outcome assertAsStock(List<String> arguments) throws Exception {
    Outcome stock = pool.stock(arguments);
    for (int run = 1; run <= RUNS; run++) {
      assertEquals(stock, pooled(arguments), "run " + run);
    }
    pool.assertOneJvmServedLast(RUNS);
    return stock;
  }

  @ParameterizedTest
  @CsvSource({"allow, denied: secret", "disallow, UnsupportedOperationException"})
  void aSecurityManagerMayBeSetWhereTheJdkAllowsIt(String value, String what) throws Exception {
    Outcome stock = assertAsStock(arguments("-Djava.security.manager=" + value, "Guarded"));
    assertTrue(stock.out().contains(what), stock.out());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "=", "=default", "=Guarded$Denies"})
  void aSecurityManagerOfTheCommandLineIsCold(String value) throws Exception {
    List<String> arguments = arguments("-Djava.security.manager" + value, "Guarded");
    assertEquals(pool.stock(arguments), pooled(arguments));
    assertEquals(0, pool.servedLast());
    assertTrue(Files.readString(pool.trace()).contains("\"security-manager\""));
  }

  /** With these, a VM has a thread for tools from its start. */
  @ParameterizedTest
  @ValueSource(strings = {"-Xrs", "-XX:+StartAttachListener"})
  void aVmThatListensForToolsServesMoreThanOneRun(String option) throws Exception {
    assertAsStock(arguments(option, "Exits", "return"));
  }

  /** Also with options that only a run has, and that a JVM between runs must not have. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-XX:+HeapDumpOnOutOfMemoryError -XX:HeapDumpPath=/none -XX:-ExitOnOutOfMemoryError",
        "-XX:+HeapDumpBeforeFullGC",
        "-XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints",
      })
  void flagsArePrintedInEveryRun(String more) throws Exception {
    Outcome stock =
        assertAsStock(arguments("-XX:+PrintCommandLineFlags " + more, "Exits", "return"));
    assertTrue(stock.out().startsWith("-XX:"), stock.out());
    assertEquals(List.of(), dumps(pool.userFolder()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-Dcom.sun.management.jmxremote", "-XX:+PrintGC"})
  void flagsThatOnlyARunHasAreNotPrintedByAPooledJvm(String more) throws Exception {
    List<String> arguments = arguments("-XX:+PrintCommandLineFlags " + more, "Exits", "return");
    assertEquals(firstFlags(pool.stock(arguments)), firstFlags(pooled(arguments)));
    assertEquals(0, pool.servedLast());
  }

  private static String firstFlags(Outcome outcome) {
    String flags =
        outcome.out().lines().filter(line -> line.startsWith("-XX:")).findFirst().orElseThrow();
    assertTrue(flags.contains("ManagementServer") || flags.contains("PrintGC"), flags);
    return flags;
  }

  /** The pooled JVM shows nothing of its own among its flags. */
  @Test
  void flagsAreThoseOfAStockJvm() throws Exception {
    Outcome stock = assertAsStock(arguments("", "Commands", "vmFlags"));
    assertTrue(stock.out().contains("-XX:MaxHeapSize="), stock.out());
  }

  /** C2 writes to an option what it finds out, also about loops of a run that has ended. */
  @Test
  void aRunDoesNotSeeWhatIsCompiledLateForTheOneBefore() throws Exception {
    HotLoops.compile(classes, 200, 1, "");
    Programs.compile(classes, "LateOptions");
    List<String> probe = arguments("", "LateOptions");
    Outcome stock = pool.stock(probe);
    for (int run = 1; run <= RUNS; run++) {
      assertEquals(0, pool.run(arguments("", "HotLoops")).status());
      pool.awaitIdle();
      assertEquals(stock, pooled(probe), "run " + run);
    }
    pool.assertOneJvmServedLast(2 * RUNS);
  }

  /** The pooled JVM takes no option that a stock JVM does not take. */
  @Test
  void aLockedOptionIsRefused() throws Exception {
    assumeFalse(Home.IS_DEBUG, "a debug build of HotSpot locks no diagnostic option");
    List<String> arguments = arguments("-XX:+DebugNonSafepoints", "Exits", "return");
    Outcome stock = pool.stock(arguments);
    assertTrue(stock.err().contains("must be enabled"), stock.toString());
    assertEquals(stock, pooled(arguments));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-noverify", "-verify", "-verifyremote", "-noclassgc", "-Xverify"})
  void oldSpellingsArePooled(String option) throws Exception {
    assertAsStock(arguments(option, "Exits", "return"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-XX:+UnlockDiagnosticVMOptions -XX:+ShowHiddenFrames",
        "-XX:+ShowCodeDetailsInExceptionMessages",
        "-XX:+UnlockDiagnosticVMOptions -XX:+PrintWarnings -XX:+LogEvents",
      })
  void optionsThatOnlySoundLikeOutputArePooled(String options) throws Exception {
    assertAsStock(arguments(options, "Exits", "uncaught"));
  }

  /** What the VM prints when somebody asks for it goes to the run. */
  @Test
  void threadDumpsShowWhatTheOptionsSay() throws Exception {
    List<String> arguments =
        arguments("-XX:+PrintConcurrentLocks -XX:+PrintClassHistogram", "Collects", "wait");
    for (Path java : List.of(Home.STOCK_JAVA, Home.JAVA, Home.JAVA)) {
      Run run = pool.start(pool.builder(Pool.command(java, arguments))).awaitOut("END");
      run.signal("QUIT");
      run.awaitOut("Locked ownable synchronizers").awaitOut("#instances").awaitOut("Total ");
      run.signal("TERM");
      assertEquals(143, run.await().status());
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(2);
  }

  // ---- heap dumps

  private static List<String> dumps(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.contains(".hprof"))
          .sorted()
          .toList();
    }
  }

  private List<String> takeDumps() throws IOException {
    List<String> names = dumps(pool.work());
    for (String name : names) {
      Files.delete(pool.work().resolve(name));
    }
    return names;
  }

  private static String withoutSizes(String text) {
    return text.replaceAll("\\[\\d+ bytes in [0-9.]+ secs]", "[size and time]");
  }

  /** Before and after each full collection of the run, but not before that of the reset. */
  @ParameterizedTest
  @ValueSource(strings = {"G1", "Parallel", "Serial"})
  void heapsAreDumpedAtFullCollectionsOfTheRun(String collector) throws Exception {
    String heap = " -XX:HeapDumpPath=a.hprof -XX:+Use" + collector + "GC";
    List<String> both = arguments("-XX:+HeapDumpBeforeFullGC -XX:+HeapDumpAfterFullGC" + heap);
    both.add("Collects");
    Outcome stock = pool.stock(both).normalised(VmOptionsIT::withoutSizes);
    List<String> expected = takeDumps();
    assertTrue(expected.size() > 1, expected.toString());
    for (int run = 1; run <= RUNS; run++) {
      assertEquals(stock, pooled(both).normalised(VmOptionsIT::withoutSizes), "run " + run);
      assertEquals(expected, takeDumps(), "run " + run);
      assertEquals(List.of(), dumps(pool.userFolder()), "of the reset");
      assertEquals("MAIN\nEND\n", pooled(arguments(heap, "Collects")).out());
      assertEquals(List.of(), takeDumps(), "of a run that did not ask");
    }
    pool.assertOneJvmServedLast(2 * RUNS);
  }

  /** The first is named as the option says, the second has a number, in every run. */
  @Test
  void dumpsAreNumberedInEveryRun() throws Exception {
    String options = "-XX:+HeapDumpOnOutOfMemoryError -XX:+HeapDumpAfterFullGC";
    List<String> arguments =
        arguments(options + " -XX:HeapDumpPath=a.hprof", "Exits", "out-of-memory");
    pool.stock(arguments);
    List<String> expected = takeDumps();
    assertTrue(expected.containsAll(List.of("a.hprof", "a.hprof.1")), expected.toString());
    for (int run = 1; run <= RUNS; run++) {
      pooled(arguments);
      assertEquals(expected, takeDumps(), "run " + run);
    }
    pool.assertOneJvmServedLast(RUNS);
  }

  // ---- native memory

  /** A baseline is of the run that has taken it. */
  @ParameterizedTest
  @ValueSource(strings = {"summary", "detail"})
  void nativeMemoryIsTracked(String level) throws Exception {
    List<String> arguments =
        arguments(
            "-XX:NativeMemoryTracking=" + level,
            "Commands",
            "vmNativeMemory " + level,
            "vmNativeMemory " + level + ".diff",
            "vmNativeMemory baseline",
            "vmNativeMemory " + level + ".diff");
    List<String> stock = headings(pool.stock(arguments));
    assertTrue(stock.contains("Baseline taken"), stock.toString());
    for (int run = 1; run <= RUNS; run++) {
      assertEquals(stock, headings(pooled(arguments)), "run " + run);
    }
    pool.assertOneJvmServedLast(RUNS);
  }

  /** What does not differ between any two processes. */
  private static List<String> headings(Outcome outcome) {
    assertEquals(0, outcome.status(), outcome.toString());
    return outcome
        .out()
        .lines()
        .filter(
            line ->
                line.matches(
                    "Native Memory.*|No .*baseline.*|Baseline taken|Total: .*|- +(Java Heap|Class|GC) .*"))
        .map(line -> line.replaceAll("\\(.*|: .*|[+-]\\d+KB", ""))
        .toList();
  }

  // ----

  private static final Pattern WARNED =
      Pattern.compile("\\[(\\d+\\.\\d+)s]\\[warning]\\[os,thread].*?\n(?:.*\n)*?(\\d+)\n");

  /** Also where nobody asked for a log. */
  @Test
  void warningsHaveTheTimeOfTheRun() throws Exception {
    for (int run = 1; run <= RUNS; run++) {
      Outcome outcome = pooled(arguments("", "Strains"));
      Matcher warned = WARNED.matcher(outcome.out());
      assertTrue(warned.find(), outcome.toString());
      double uptime = Double.parseDouble(warned.group(1));
      assertTrue(uptime * 1000 <= Long.parseLong(warned.group(2)) + 1, outcome.toString());
    }
    pool.assertOneJvmServedLast(RUNS);
  }
}
