// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compiled code holds values of static finals although their classes are initialized again: every
 * run sees its own, also when they are others than in the runs before.
 */
@NeedsHome
class ConstantsIT {
  /** Enough for C2 to compile every use. */
  private static final int REPEATS = 30_000;

  /** Field and number of each run: the same for a while, then others. */
  private static final List<List<String>> RUNS =
      List.of(
          List.of("first", "2"),
          List.of("first", "2"),
          List.of("first", "2"),
          List.of("second", "2"),
          List.of("second", "2"),
          List.of("first", "0"),
          List.of("first", "3"),
          List.of("first", "3"));

  private Pool pool;
  private Path classes;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    classes = Programs.compile(pool.work().resolve("classes"), "Constants");
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"-Xbatch", "-Xbatch -XX:-TieredCompilation", "-Xmixed"})
  void everyRunSeesItsOwn(String options) throws Exception {
    compare(options);
  }

  @Tag("long")
  @Test
  void everyRunSeesItsOwnWhereAllIsCompiled() throws Exception {
    compare("-Xcomp");
  }

  private void compare(String options) throws Exception {
    for (List<String> values : RUNS) {
      List<String> arguments = new ArrayList<>(Arrays.asList(options.split(" ")));
      int repeats = REPEATS;
      if (Home.IS_DEBUG && options.equals("-Xcomp")) {
        arguments.add("-XX:TieredStopAtLevel=1"); // with C2 no run would begin in time
        repeats = 300; // minutes otherwise, in the cold JVM; compiled it is from the first on
      }
      arguments.addAll(List.of("-cp", classes.toString(), "Constants"));
      arguments.add(Integer.toString(repeats));
      arguments.addAll(values);
      Outcome stock = pool.cold(arguments);
      assertEquals(0, stock.status(), stock.toString());
      assertEquals(stock, pool.run(arguments), values + pool.logs());
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(RUNS.size());
  }

  /** Those that a run has made: whatever knows one knows the same one. */
  @ParameterizedTest
  @CsvSource({"-Xint", "-Xbatch", "-Xbatch -XX:-TieredCompilation", "-XX:+UseSerialGC -Xbatch"})
  void handlesKeepTheirIdentity(String options) throws Exception {
    Path handles = Programs.compile(pool.work().resolve("handles"), "Handles");
    List<String> runs = List.of("one", "one", "one", "two", "two", "one", "one");
    for (String run : runs) {
      List<String> arguments = new ArrayList<>(Arrays.asList(options.split(" ")));
      arguments.addAll(List.of("-Dhandles=" + run, "-cp", handles.toString(), "Handles"));
      arguments.add(Integer.toString(options.equals("-Xint") ? 10 : REPEATS));
      Outcome stock = pool.cold(arguments);
      assertEquals(0, stock.status(), stock.toString());
      assertEquals(stock, pool.run(arguments), run + pool.logs());
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(runs.size());
  }

  /** It may follow what it knows of code to code that is not there any more. */
  @Test
  void theCollectorKnowsWhereTheHandlesOfCodeAre() throws Exception {
    Path handle = Programs.compile(pool.work().resolve("handle"), "FarHandle");
    List<String> arguments = new ArrayList<>(List.of("-Xbatch", "-XX:+UnlockDiagnosticVMOptions"));
    arguments.addAll(List.of("-XX:+VerifyBeforeGC", "-XX:+G1VerifyHeapRegionCodeRoots"));
    // One thread, which leaves what has survived in its order.
    arguments.addAll(List.of("-XX:G1HeapRegionSize=1m", "-XX:ParallelGCThreads=1"));
    arguments.addAll(List.of("-cp", handle.toString(), "FarHandle"));
    for (String name : List.of("Ballast1", "Ballast2", "Ballast3")) {
      String fields = // as many as a class can have; a mirror of half a region is no large object
          IntStream.range(0, 60_000).mapToObj(i -> "f" + i).collect(Collectors.joining(", "));
      Path source = pool.work().resolve(name + ".java");
      Files.writeString(source, "class " + name + " { static long " + fields + "; }");
      Programs.compileSource(handle, source);
      arguments.add(name);
    }
    Outcome stock = pool.cold(arguments);
    assertEquals(0, stock.status(), stock.toString());
    for (int run = 1; run <= 3; run++) {
      assertEquals(stock, pool.run(arguments), pool.logs());
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(3);
  }
}
