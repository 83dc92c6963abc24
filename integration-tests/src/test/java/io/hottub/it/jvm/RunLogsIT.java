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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The logs that a run asks for on its command line, beside those of the distribution's JVM. */
@NeedsHome
class RunLogsIT {
  private static final Path CLIENT_SOURCE = Path.of("../hottub-jvm/native/client/logs.c");
  private static final Pattern ROW = Pattern.compile("\\{\"((?:gc|safepoint)\\S*)\", ([A-Z]+)}");

  private Pool pool;
  private Path classes;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    classes = Programs.compile(pool.work().resolve("classes"), "Collects");
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  private List<String> arguments(String collector, String log, String... more) {
    List<String> arguments = new ArrayList<>(List.of("-XX:+Use" + collector + "GC", "-Xmx100m"));
    arguments.addAll(List.of(log, "-cp", classes.toString(), "Collects"));
    arguments.addAll(List.of(more));
    return arguments;
  }

  private Outcome pooled(List<String> arguments) throws Exception {
    Outcome outcome = pool.run(arguments);
    assertTrue(pool.servedLast() != 0, () -> arguments + "\n" + pool.logs());
    pool.awaitIdle();
    return outcome;
  }

  /** Without what differs between any two processes: times, addresses, sizes. */
  private static String shape(String text) {
    return Run.asOfRelease(text)
        .replaceAll("0x[0-9a-f]+", "X")
        .replaceAll("\\d+([.,]\\d+)?", "N")
        .replaceAll(" +", " ");
  }

  /** What was logged after main. */
  private static String after(String text, String mark) {
    return shape(text.substring(text.indexOf(mark + "\n")));
  }

  /** What the client lets through, each selection at its lowest level. */
  private static List<String> selections() throws IOException {
    List<String> all =
        ROW.matcher(Files.readString(CLIENT_SOURCE))
            .results()
            .map(row -> row.group(1) + "=" + row.group(2).toLowerCase(Locale.ROOT))
            .toList();
    assertTrue(all.size() > 20, all.toString());
    return all;
  }

  private static boolean isOfCollection(String line) {
    return line.contains("GC(N)") || line.contains("Safepoint");
  }

  private static List<String> beforeCollections(List<String> lines) {
    return lines.stream().takeWhile(line -> !isOfCollection(line)).toList();
  }

  private static List<String> afterCollections(List<String> lines) {
    int begin = 0;
    for (int i = 0; i < lines.size(); i++) {
      begin = isOfCollection(lines.get(i)) ? i + 1 : begin;
    }
    return lines.subList(begin, lines.size());
  }

  /**
   * Each selection in a file of its own. What a collection has to say depends on the heap, but not
   * what is said before main, nor what is said at the exit.
   */
  @ParameterizedTest
  @ValueSource(strings = {"G1", "Parallel", "Serial"})
  void everySelectionLogsAsOnStock(String collector) throws Exception {
    List<String> selections = selections();
    List<String> arguments = new ArrayList<>(arguments(collector, "-Xlog:gc"));
    for (int i = 0; i < selections.size(); i++) {
      arguments.add(0, "-Xlog:" + selections.get(i) + ":file=gc" + i + ":level,tags");
    }
    pool.stock(arguments);
    List<List<String>> stock = read(selections.size());
    for (int run = 0; run < 2; run++) {
      pooled(arguments);
      List<List<String>> pooled = read(selections.size());
      for (int i = 0; i < selections.size(); i++) {
        String what = collector + " " + selections.get(i) + " " + run;
        assertEquals(beforeCollections(stock.get(i)), beforeCollections(pooled.get(i)), what);
        if (selections.get(i).endsWith("=info")) {
          assertEquals(afterCollections(stock.get(i)), afterCollections(pooled.get(i)), what);
          assertEquals(fullCollection(stock.get(i)), fullCollection(pooled.get(i)), what);
        }
      }
    }
    pool.assertOneJvmServedLast(2);
  }

  private List<List<String>> read(int count) throws IOException {
    List<List<String>> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Path file = pool.work().resolve("gc" + i);
      all.add(shape(Files.readString(file)).lines().toList());
      Files.delete(file);
    }
    return all;
  }

  private static List<String> fullCollection(List<String> lines) {
    int begin = lines.size();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).contains("Pause Full (System.gc())") && !lines.get(i).contains("->")) {
        begin = i;
      }
    }
    return lines.subList(begin, lines.size());
  }

  /** All of the most usual options, in successive runs of one JVM; collections count from 0. */
  @Test
  void everyRunHasLogsOfItsOwn() throws Exception {
    Path first = pool.work().resolve("first.log");
    Path second = pool.work().resolve("second.log");
    List<String> plain = arguments("G1", "-verbose:gc");
    String before = pooled(plain).out();
    for (Path log : List.of(first, second)) {
      Outcome run = pooled(arguments("G1", "-Xlog:gc*,safepoint:file=" + log + ":time,uptime"));
      assertEquals("MAIN\nEND\n", run.out(), "nothing of it on stdout");
      String text = Files.readString(log);
      assertTrue(text.contains("GC(0) "), text);
      assertTrue(text.contains("Using G1"), text);
      assertTrue(text.lines().toList().get(text.lines().toList().size() - 1).contains("class"));
      List<Double> uptimes =
          Pattern.compile("(?m)^\\[\\S+]\\[(\\S+)s]")
              .matcher(text)
              .results()
              .map(match -> Double.parseDouble(match.group(1)))
              .toList();
      assertEquals(text.lines().count(), uptimes.size(), text);
      assertEquals(uptimes.stream().sorted().toList(), uptimes);
      assertTrue(uptimes.get(0) < 1 && uptimes.get(uptimes.size() - 1) < 60, text);
      Matcher safepoint =
          Pattern.compile("\\[([0-9.]+)s] Safepoint .*Time since last: (\\d+) ns").matcher(text);
      assertTrue(safepoint.find(), text);
      assertTrue(
          Long.parseLong(safepoint.group(2)) / 1e9 <= Double.parseDouble(safepoint.group(1)) + 1e-3,
          "the first counts from the begin of the run: " + safepoint.group());
    }
    long length = Files.size(first);
    assertEquals(beforeMain(before), beforeMain(pooled(plain).out()));
    assertEquals("MAIN\nEND\n", pooled(arguments("G1", "-Dany=1")).out());
    assertEquals(length, Files.size(first), "a later run writes nothing into it");
    pool.assertOneJvmServedLast(4);
  }

  /** G1 tells of memory a tenth of a second after it has given it back. */
  @Test
  void noRunIsToldWhatTheResetGaveBack() throws Exception {
    String log = "-Xlog:gc+heap=debug";
    String stock = shape(pool.stock(arguments("G1", log, "rest")).out());
    for (int i = 0; i < 3; i++) {
      pooled(arguments("G1", log));
      assertEquals(stock, shape(pooled(arguments("G1", log, "rest")).out()), "run " + i);
    }
    pool.assertOneJvmServedLast(6);
  }

  private static String beforeMain(String text) {
    return shape(text.substring(0, text.indexOf("MAIN\n")));
  }

  private Map<String, Long> files(String name) throws IOException {
    Map<String, Long> sizes = new TreeMap<>();
    try (Stream<Path> files = Files.list(pool.work())) {
      for (Path file : files.toList()) {
        if (file.getFileName().toString().startsWith(name)) {
          long lines = Files.readAllLines(file).size();
          sizes.put(file.getFileName().toString(), lines);
        }
      }
    }
    return sizes;
  }

  private void clean(String name) throws IOException {
    try (Stream<Path> files = Files.list(pool.work())) {
      for (Path file : files.filter(f -> f.getFileName().toString().startsWith(name)).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Old files are moved away, truncated or kept as the option says, with names as on stock. */
  @ParameterizedTest
  @ValueSource(strings = {"gc.log", "gc.log::filecount=0", "gc.log::filecount=3,filesize=0"})
  void filesAreRotatedAsOnStock(String file) throws Exception {
    List<String> arguments = arguments("Serial", "-Xlog:gc+init:file=" + file);
    List<Map<String, Long>> expected = new ArrayList<>();
    for (int run = 0; run < 3; run++) {
      pool.stock(arguments);
      expected.add(files("gc"));
    }
    clean("gc");
    for (int run = 0; run < 3; run++) {
      pooled(arguments);
      assertEquals(expected.get(run), files("gc"), file);
    }
  }

  @Test
  void filesHaveThePidAndTheTimeOfTheRunInTheirNames() throws Exception {
    List<String> arguments = arguments("Serial", "-Xlog:gc+init:file=gc-%p-%t.log:pid,tags");
    for (int round = 0; round < 2; round++) {
      LocalDateTime before = LocalDateTime.now(ZoneId.systemDefault()).withNano(0);
      Run run = pool.start(arguments.toArray(String[]::new));
      assertEquals(0, run.await().status(), pool.logs());
      assertTrue(pool.servedLast() != 0, pool::logs);
      pool.awaitIdle();
      String start = "gc-" + run.pid() + "-";
      String name = files(start).keySet().iterator().next();
      String lines = Files.readString(pool.work().resolve(name));
      assertTrue(lines.startsWith("[" + run.pid() + "][gc"), lines);
      LocalDateTime time =
          LocalDateTime.parse(
              name.substring(start.length(), name.length() - ".log".length()),
              DateTimeFormatter.ofPattern("yyyy-MM-dd_HH-mm-ss"));
      assertFalse(time.isBefore(before), name);
    }
    assertEquals(2, files("gc-").size(), "each has its own");
  }

  /** Written in pieces as large as the option says. */
  @Test
  void filesAreRotatedWhileTheRunWrites() throws Exception {
    List<String> arguments =
        arguments("G1", "-Xlog:gc+phases*=debug:file=gc.log::filecount=3,filesize=4k");
    pool.stock(arguments);
    Map<String, Long> expected = files("gc");
    clean("gc");
    for (int run = 0; run < 2; run++) {
      pooled(arguments);
      assertEquals(expected.keySet(), files("gc").keySet());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"exit", "halt"})
  void anExitIsLogged(String way) throws Exception {
    List<String> arguments = arguments("G1", "-Xlog:gc*", way);
    Outcome stock = pool.stock(arguments);
    for (int run = 0; run < 2; run++) {
      Outcome pooled = pooled(arguments);
      assertEquals(stock.status(), pooled.status());
      assertEquals(after(stock.out(), "END"), after(pooled.out(), "END"));
    }
  }

  @Test
  void anEndBySignalIsLogged() throws Exception {
    List<String> arguments = arguments("G1", "-Xlog:gc*", "wait");
    Outcome stock = terminated(Home.STOCK_JAVA, arguments);
    assertTrue(stock.out().contains("heap,exit"), stock.out());
    for (int run = 0; run < 2; run++) {
      Outcome pooled = terminated(Home.JAVA, arguments);
      assertEquals(stock.status(), pooled.status());
      assertEquals(after(stock.out(), "END"), after(pooled.out(), "END"));
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(2);
  }

  private Outcome terminated(Path java, List<String> arguments) throws Exception {
    Run run = pool.start(pool.builder(Pool.command(java, arguments))).awaitOut("END");
    run.signal("TERM");
    return run.await();
  }

  @Test
  void aKilledRunLogsNoExit() throws Exception {
    Path log = pool.work().resolve("gc.log");
    Run run =
        pool.start(arguments("G1", "-Xlog:gc*:file=" + log, "wait").toArray(String[]::new))
            .awaitOut("END");
    run.signal("KILL");
    run.await();
    pool.awaitIdle();
    String text = Files.readString(log);
    assertTrue(text.contains("Pause Full"), text);
    assertFalse(text.contains("heap,exit"), text);
  }

  /** What was before -Xlog: the VM says what to use instead, and does as if it had been that. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "-XX:+PrintGC",
        "-XX:+PrintGCDetails",
        "-XX:+PrintGCDetails -XX:-PrintGCDetails",
        "-verbosegc -XX:+PrintGCDetails",
        "-Xloggc:gc.log",
        "-Xloggc:gc.log -XX:+PrintGCDetails",
        "-Xloggc:gc-old.log -Xloggc:gc.log",
        "-Xloggc:stderr -Xlog:safepoint:file=gc.log"
      })
  void oldSpellingsLogAsOnStock(String options) throws Exception {
    List<String> arguments = arguments("Serial", "-Dany=1");
    arguments.addAll(0, List.of(options.split(" ")));
    List<Outcome> stock = new ArrayList<>();
    List<Map<String, String>> expected = new ArrayList<>();
    for (int run = 0; run < 3; run++) {
      stock.add(pool.stock(arguments).normalised(RunLogsIT::withoutCollections));
      expected.add(texts());
    }
    clean("gc");
    for (int run = 0; run < 3; run++) {
      assertEquals(stock.get(run), pooled(arguments).normalised(RunLogsIT::withoutCollections));
      assertEquals(expected.get(run), texts(), "run " + run);
    }
    pool.assertOneJvmServedLast(3);
    // And nothing of it in a run that does not ask.
    assertEquals("MAIN\nEND\n", pooled(arguments("Serial", "-Dany=1")).out());
  }

  private static String withoutCollections(String text) {
    return shape(text)
        .lines()
        .filter(line -> !isOfCollection(line))
        .collect(Collectors.joining("\n"));
  }

  private Map<String, String> texts() throws IOException {
    Map<String, String> texts = new TreeMap<>();
    for (String name : files("gc").keySet()) {
      texts.put(name, withoutCollections(Files.readString(pool.work().resolve(name))));
    }
    return texts;
  }

  /** For these the stock JVM has something to say before main; or they are none of ours. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "-Xlog:gc*:file=/proc/none/gc.log",
        "-Xlog:gc*:file=/dev/null",
        "-Xlog:gc*:file=",
        "-Xlog:gc+none",
        "-Xlog:gc*=loud",
        "-Xlog:gc*::sometimes",
        "-Xlog:gc*:stdout::filecount=2",
        "-Xlog:gc*:gc.log::filecount=1001",
        "-Xlog:gc*:gc.log::filesize=many",
        "-Xlog:gc*:stdout:uptime::x",
        "-Xlog:gc*=debug",
        "-Xlog:safepoint*",
        "-Xlog:disable",
        "-Xlog:async",
        "-Xlog:class+load",
        "-Xlog",
        "-Xloggc:",
        "-Xloggc:/proc/none/gc.log",
        "-verbose:class",
      })
  void whatAPooledJvmCannotLogIsForTheStockJvm(String log) throws Exception {
    Outcome stock = pool.stock(arguments("G1", log));
    Outcome run = pool.run(arguments("G1", log));
    assertEquals(stock.status(), run.status());
    assertEquals(stock.err(), run.err());
    assertEquals(0, pool.servedLast());
    assertTrue(Files.readString(pool.trace()).contains("\"log\""), pool.logs());
  }
}
