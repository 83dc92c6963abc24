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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every run may use what a new JVM of its options has: nothing adds up. */
@NeedsHome
@Tag("clones")
class HeadroomIT {
  private static final int RUNS = 8;
  private static final int METHODS = 300;

  private Pool pool;
  private Path classes;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    classes =
        Programs.compile(pool.work().resolve("classes"), "Fills", "HeapSizes", "Ages", "Depth");
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  /**
   * Code of other methods in each run, a third of what the code cache has room for: a JVM whose
   * cache is full says so on the run's output, and compiles no more.
   */
  @Test
  void noRunFindsTheCodeCacheFull() throws Exception {
    Path many = compileManyMethods();
    for (int run = 0; run < RUNS; run++) {
      List<String> arguments = callMethods("-Xmixed", many, run * METHODS, (run + 1) * METHODS);
      Outcome stock = pool.stock(arguments);
      assertEquals(stock, pool.run(arguments), () -> "run of " + arguments + pool.logs());
      pool.awaitIdle();
    }
    if (!Pool.CLONES) {
      assertTrue(pool.logs().contains("half of the code cache is used"), pool::logs);
    }
  }

  /** One run alone can have the VM give up compilation for good, which an option of it tells. */
  @Tag("long")
  @Test
  void noRunFindsTheCompilersGone() throws Exception {
    Path many = compileManyMethods();
    // A busy machine would not come to compile them all beside main.
    List<String> one = callMethods("-Xbatch", many, 0, 1);
    Outcome stock = pool.stock(one);
    for (int round = 0; round < 2; round++) {
      assertEquals(stock, pool.run(one), pool.logs());
      pool.awaitIdle();
      Outcome all = pool.run(callMethods("-Xbatch", many, 0, RUNS * METHODS));
      assertTrue(all.out().contains("Compiler has been disabled"), all.toString());
      pool.awaitIdle();
    }
    if (!Pool.CLONES) {
      assertTrue(pool.logs().contains("the VM has changed its option UseCompiler"), pool.logs());
    }
  }

  /** With room for the code of half of them. */
  private static List<String> callMethods(String option, Path many, int from, int to) {
    return List.of(
        option,
        "-XX:ReservedCodeCacheSize=6m",
        "-XX:-UseCodeCacheFlushing",
        "-cp",
        many.toString(),
        "Many",
        "" + from,
        "" + to);
  }

  /** A class whose main method calls those of its many others whose numbers are in a range. */
  private Path compileManyMethods() throws IOException {
    StringBuilder calls = new StringBuilder();
    StringBuilder methods = new StringBuilder();
    for (int i = 0; i < RUNS * METHODS; i++) {
      calls.append("case ").append(i).append(": return m").append(i).append("(n);");
      methods.append(
          ("static int m%d(int n) { int s = %<d; int[] a = new int[64];"
                  + " for (int i = 0; i < n; i++) { a[i & 63] += s ^ i; s = s * 31 + a[(i * 7) & 63] %% (%<d + 1); }"
                  + " return s; }%n")
              .formatted(i));
    }
    Path source = pool.work().resolve("Many.java");
    Files.writeString(
        source,
        """
        public class Many {
          static int call(int i, int n) { switch (i) { %s default: return 0; } }
          public static void main(String[] range) {
            int sum = 0;
            for (int i = Integer.parseInt(range[0]); i < Integer.parseInt(range[1]); i++) {
              for (int j = 0; j < 3000; j++) { sum += call(i, 60); }
            }
            System.out.println(sum);
          }
          %s
        }
        """
            .formatted(calls, methods));
    return Programs.compileSource(pool.work().resolve("many"), source);
  }

  /** Two halves of a class path, each of which needs most of what the limit allows. */
  @Test
  void noRunFindsTheMetaspaceFull() throws Exception {
    Path halves = compileHalves();
    for (int run = 0; run < RUNS; run++) {
      String half = run % 2 == 0 ? "Left" : "Right";
      List<String> arguments =
          List.of("-XX:MaxMetaspaceSize=7m", "-cp", halves.toString(), "Halves", half);
      Outcome stock = pool.stock(arguments);
      assertEquals("250\n", stock.out(), stock::toString);
      assertEquals(stock, pool.run(arguments), () -> "run of " + arguments + pool.logs());
      pool.awaitIdle();
    }
    if (!Pool.CLONES) {
      assertTrue(pool.logs().contains("worn out: classes of runs fill the metaspace"), pool::logs);
      assertTrue(Set.copyOf(pool.servedBy()).size() < RUNS, pool::logs);
    }
  }

  /** A class whose main method loads the classes of one half, and looks how full it is then. */
  private Path compileHalves() throws IOException {
    StringBuilder methods = new StringBuilder();
    for (int i = 0; i < 60; i++) {
      methods.append(
          "static String m%d(int n) { return \"%<d\" + n + m0(n + %<d); }%n".formatted(i));
    }
    StringBuilder classes = new StringBuilder();
    for (String half : List.of("Left", "Right")) {
      for (int i = 0; i < 250; i++) {
        classes.append("class %s%d { %s }%n".formatted(half, i, methods));
      }
    }
    Path source = pool.work().resolve("Halves.java");
    Files.writeString(
        source,
        """
        public class Halves {
          public static void main(String[] half) throws Exception {
            int count = 0;
            while (count < 250) { Class.forName(half[0] + count++); }
            for (var pool : java.lang.management.ManagementFactory.getMemoryPoolMXBeans()) {
              if (pool.getUsage() == null) { count = 0; }
            }
            System.out.println(count);
          }
        }
        %s
        """
            .formatted(classes));
    return Programs.compileSource(pool.work().resolve("halves"), source);
  }

  /** Most of what a stock JVM can hold, and more than it can. */
  @ParameterizedTest
  @CsvSource({
    "-XX:+UseSerialGC -Xmx24m, heap, 20, 30",
    "-XX:+UseParallelGC -Xmx24m, heap, 19, 30",
    "-XX:+UseG1GC -Xmx24m, heap, 9, 30",
    "-XX:+UseSerialGC -Xmx24m, statics, 20, 30",
    "-XX:MaxMetaspaceSize=12m, classes, 1200, 6000",
    "-XX:MaxMetaspaceSize=12m, hidden, 2000, 9000",
  })
  void aRunHasAllOfIt(String options, String what, int fits, int more) throws Exception {
    for (int run = 0; run < RUNS; run++) {
      for (int count : run % 2 == 0 ? List.of(fits) : List.of(more, fits)) {
        Outcome outcome = pool.run(with(options, "Fills", what, "" + count));
        assertEquals(count == fits ? 0 : 1, outcome.status(), () -> outcome + pool.logs());
        String expected = count == fits ? count + "\n" : "";
        assertEquals(expected, outcome.out(), () -> "run " + outcome + pool.logs());
        pool.awaitIdle();
      }
    }
  }

  /** Collectors have it grow in each run, and those that divide it by size change that. */
  @ParameterizedTest
  @CsvSource({
    "-XX:+UseParallelGC -Xmx24m, 2500, 0, 0",
    "-XX:+UseParallelGC -Xms32m -Xmx512m, 2500, 0, 0",
    "-XX:+UseParallelGC -Xms32m -Xmx512m, 2500, 250, 0",
    "-XX:+UseParallelGC -XX:-UseAdaptiveSizePolicy -Xms32m -Xmx512m, 2500, 250, 0",
    "-XX:+UseSerialGC -Xmx24m, 2500, 0, 0",
    "-XX:+UseSerialGC -Xms32m -Xmx512m, 2500, 250, 0",
    "-XX:+UseG1GC -Xms32m -Xmx512m, 2500, 250, 0",
    "-XX:+UseG1GC -Xms32m -Xmx512m, 0, 150, 0",
    "-XX:+UseG1GC -Xmx512m, 0, 150, 0",
    "-XX:+UseG1GC -Xms256m -Xmx256m, 0, 150, 1",
    "-XX:+UseG1GC -Xshare:off, 0, 150, 0",
  })
  void aHeapIsDividedAsThatOfANewJvm(String options, int young, int kept, int status)
      throws Exception {
    List<String> arguments = with(options, "HeapSizes", "" + young, "" + kept);
    Outcome stock = pool.stock(arguments);
    assertEquals(status, stock.status(), stock.toString());
    for (int run = 0; run < 4; run++) {
      assertEquals(stock, pool.run(arguments), () -> pool.logs());
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(4);
  }

  /**
   * Parallel has survivor spaces as large as what has outlived collections before, and less room
   * for the rest.
   */
  @Test
  void aRunMayKeepAsMuchAsBeforeAnyCollection() throws Exception {
    String options = "-XX:+UseParallelGC -Xmx24m";
    for (int run = 0; run < 3; run++) {
      assertEquals(0, pool.run(with(options, "HeapSizes", "2500", "0")).status(), pool::logs);
      pool.awaitIdle();
      Outcome fills = pool.run(with(options, "Fills", "heap", "19"));
      assertEquals(new Outcome(0, "19\n", ""), fills, pool::logs);
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(6);
  }

  /** Within some frames. */
  @ParameterizedTest
  @ValueSource(strings = {"-Xint", "-Xint -Xss256k", "-Xint -Xss8m"})
  void mainHasTheStackOfANewJvm(String options) throws Exception {
    List<String> arguments = with(options, "Depth");
    int stock = Integer.parseInt(pool.stock(arguments).out());
    // A debug build leaves two more pages for what the VM may call (DEFAULT_STACK_SHADOW_PAGES).
    int tolerance = Home.IS_DEBUG ? 120 : 20;
    for (int run = 0; run < 3; run++) {
      assertEquals(stock, Integer.parseInt(pool.run(arguments).out()), tolerance, pool::logs);
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(3);
  }

  /** As time passes for a JVM that is idle, too. */
  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {"-XX:+UseSerialGC", "-XX:+UseParallelGC", "-XX:+UseG1GC"})
  void softReferencesLiveAsLongAsInANewJvm(String collector) throws Exception {
    String age = " -Xmx16m -XX:SoftRefLRUPolicyMSPerMB=150";
    String opens = " --add-opens=java.rmi/sun.rmi.transport=ALL-UNNAMED";
    List<String> arguments = with(collector + age + opens, "Ages");
    Outcome stock = pool.stock(arguments);
    assertEquals(new Outcome(0, "looked at: true\ncleared: 0\ncleared: 0\n", ""), stock);
    for (int run = 0; run < 3; run++) {
      assertEquals(stock, pool.run(arguments), pool::logs);
      pool.awaitIdle();
      Thread.sleep(4000);
    }
    pool.assertOneJvmServedLast(3);
  }

  private List<String> with(String options, String... program) {
    List<String> arguments = new ArrayList<>(Arrays.asList(options.split(" ")));
    arguments.addAll(List.of("-cp", classes.toString()));
    arguments.addAll(List.of(program));
    return arguments;
  }

  /** Its end does not need one, and the next run finds some. */
  @ParameterizedTest
  @ValueSource(strings = {"return", "exit", "throw", "daemon"})
  void aRunMayUseAllDescriptors(String end) throws Exception {
    Path opens = Programs.compile(pool.work().resolve("opens"), "UsesDescriptors");
    List<String> arguments = List.of("-cp", opens.toString(), "UsesDescriptors", end);
    Outcome stock = pool.start(pool.builder(limited(Home.STOCK_JAVA, arguments))).await();
    assertTrue(stock.out().contains("Too many open files"), stock.toString());
    for (int run = 0; run < 3; run++) {
      Outcome pooled = pool.start(pool.builder(limited(Home.JAVA, arguments))).await();
      assertEquals(stock, pooled, () -> pool.logs());
      pool.awaitIdle();
    }
    assertFalse(pool.servedBy().contains(0L), pool.logs());
    if (!Pool.CLONES) {
      assertTrue(pool.logs().contains("cannot list threads"), pool::logs);
    }
  }

  private static List<String> limited(Path java, List<String> arguments) {
    List<String> command =
        new ArrayList<>(List.of("sh", "-c", "ulimit -n 2048; exec \"$@\"", "sh"));
    command.addAll(Pool.command(java, arguments));
    return command;
  }
}
