// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import io.hottub.it.harness.Run;
import io.hottub.protocol.KeeperConnection;
import io.hottub.protocol.KeeperSocket;
import io.hottub.protocol.KeeperState;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs in clones, each a process that ends with its run. */
@NeedsHome
class ClonesIT {
  /** Fewer than would let a template be followed by another one: with -Xcomp each compiles much. */
  private static final int RUNS = 3;

  private static final Predicate<String> RESERVED =
      Pattern.compile("\\[0x\\w+ - 0x\\w+] reserved .* from").asMatchPredicate();

  /** As the VM writes it, or as the kernel does. */
  private static final Pattern RANGE = Pattern.compile("(?:\\[0x)?(\\w+)(?: - 0x|-)(\\w+)");

  private Pool pool;
  private Path classes;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    Files.writeString(pool.userFolder().resolve("limits"), "isolation clone\ntraining_runs 1\n");
    classes =
        Programs.compile(
            pool.work().resolve("classes"),
            "Small",
            "Draws",
            "Waits",
            "Collects",
            "Burns",
            "Formats",
            "ReadsAll");
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  private List<String> of(String... arguments) {
    List<String> all = new ArrayList<>(List.of("-cp", classes.toString()));
    all.addAll(List.of(arguments));
    return all;
  }

  /** The keeper of the template, once there is one and a clone is ready. */
  private long awaitTemplate() throws Exception {
    pool.awaitIdle();
    List<Long> keepers = new ArrayList<>();
    for (Path file : pool.files("template")) {
      keepers.add(Long.parseLong(Files.readSymbolicLink(file).toString()));
    }
    assertEquals(1, keepers.size(), () -> "templates; " + pool.logs());
    return keepers.get(0);
  }

  private void assertClonesServedLast(int count) throws Exception {
    List<String> lines = Files.readAllLines(pool.trace());
    Set<String> jvms = new HashSet<>();
    for (String line : lines.subList(lines.size() - count, lines.size())) {
      assertTrue(
          line.contains("\"isolation\":\"clone\"") && line.contains("\"warm\":true"),
          () -> line + pool.logs());
      jvms.add(line.replaceAll(".*\"jvm_pid\":(\\d+).*", "$1"));
    }
    assertEquals(count, jvms.size(), "processes");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-XX:+UseSerialGC",
        "-XX:+UseParallelGC",
        "-XX:+UseG1GC",
        "-Xint",
        "-XX:TieredStopAtLevel=1",
        "-XX:-TieredCompilation",
        "-Xcomp",
      })
  void clonesDoWhatAStockJvmDoes(String option) throws Exception {
    for (List<String> program : List.of(of("Small"), of("Collects", "exit"))) {
      List<String> arguments = new ArrayList<>(List.of(option, "-Xmx64m"));
      arguments.addAll(program);
      Outcome stock = pool.stock(arguments);
      for (int run = 0; run <= RUNS; run++) {
        assertEquals(List.of(), pool.run(arguments).differences(stock), option + pool.logs());
        pool.awaitIdle();
      }
      assertClonesServedLast(RUNS);
    }
  }

  private static void writeMemory(Path file, int availablePercent) throws Exception {
    String format = "MemTotal: %d kB%nMemFree: 1 kB%nMemAvailable: %d kB%n";
    Files.writeString(file, format.formatted(1_000_000, 10_000 * availablePercent));
  }

  /** Nor what it was copied for ahead of a run. */
  @Test
  void aTemplateDoesNotStayWhereHardlyAnyMemoryIsLeft() throws Exception {
    Path memory = pool.work().resolve("meminfo");
    writeMemory(memory, 50);
    String script = "mount --bind \"$0\" /proc/meminfo && exec \"$@\"";
    List<String> command =
        new ArrayList<>(List.of("unshare", "--mount", "sh", "-c", script, memory.toString()));
    assumeTrue(
        pool.start(pool.builder(Stream.concat(command.stream(), Stream.of("true")).toList()))
                .await()
                .status()
            == 0,
        "needs the right to mount a file");
    command.addAll(Pool.command(Home.JAVA, of("Small")));
    assertEquals(0, pool.start(pool.builder(command)).await().status(), pool::logs);
    awaitTemplate();
    assertEquals(2, pool.sockets().size(), pool::logs);
    writeMemory(memory, 2);
    Run.await("all JVMs have ended", () -> pool.sockets().isEmpty());
    assertEquals(2, logged("retiring: memory"), pool::logs);
  }

  @Test
  void noTwoClonesDrawTheSameNumbers() throws Exception {
    List<String> arguments = new ArrayList<>(of("Draws"));
    arguments.addAll(0, List.of("--add-opens", "java.base/java.util=ALL-UNNAMED"));
    assertEquals(0, pool.run(arguments).status(), pool::logs);
    awaitTemplate();
    Map<String, Set<String>> drawn = new HashMap<>();
    int bursts = 4;
    int size = 5;
    for (int burst = 0; burst < bursts; burst++) {
      List<Run> runs = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        runs.add(pool.start(pool.builder(Pool.command(Home.JAVA, arguments))));
      }
      for (Run run : runs) {
        for (String line : run.await().out().lines().toList()) {
          String[] parts = line.split("=", 2);
          drawn.computeIfAbsent(parts[0], n -> new HashSet<>()).add(parts[1]);
        }
      }
    }
    assertEquals(16, drawn.size(), drawn::toString);
    drawn.forEach((name, values) -> assertEquals(bursts * size, values.size(), name + pool.logs()));
    assertClonesServedLast(bursts * size);
  }

  @ParameterizedTest
  @CsvSource({
    "TERM,143",
    "INT,130",
    "HUP,129",
    "KILL,137",
    "USR1,138",
    "ABRT,134",
    "ALRM,142",
    "57,185"
  })
  void signalsEndACloneAsAStockJvm(String signal, int status) throws Exception {
    assertEquals(0, pool.run(of("Small")).status());
    awaitTemplate();
    for (int i = 0; i < 2; i++) {
      List<String> command = new ArrayList<>(List.of("env", "--default-signal"));
      command.addAll(Pool.command(Home.JAVA, of("Waits")));
      int traced = pool.servedBy().size();
      Run run = pool.start(pool.builder(command)).awaitOut("waiting");
      pool.awaitTraced(traced + 1);
      long jvm = pool.servedLast();
      run.signal(signal);
      Outcome outcome = run.await();
      assertEquals(status, outcome.status(), () -> signal + outcome + pool.logs());
      boolean hooks = List.of("TERM", "INT", "HUP").contains(signal);
      assertEquals(hooks ? "waiting\nhook\n" : "waiting\n", outcome.out());
      Run.await("the clone has ended", () -> Run.hasEnded(jvm));
      assertClonesServedLast(1);
      pool.awaitIdle();
    }
  }

  @Test
  void aLimitOfProcessorTimeIsThatOfOneRun() throws Exception {
    List<String> command =
        new ArrayList<>(List.of("bash", "-c", "ulimit -t 3; exec \"$@\"", "run"));
    command.addAll(Pool.command(Home.JAVA, of("Burns", "1500")));
    for (int run = 0; run <= RUNS; run++) {
      Outcome outcome = pool.start(pool.builder(command)).await();
      assertEquals(0, outcome.status(), () -> outcome + pool.logs());
      awaitTemplate();
    }
    assertClonesServedLast(RUNS);
    command.set(command.size() - 1, "6000");
    // 128 + SIGXCPU or SIGKILL: the soft and the hard limit are one.
    int status = pool.start(pool.builder(command)).await().status();
    assertTrue(status == 152 || status == 137, () -> status + pool.logs());
    assertClonesServedLast(1);
  }

  /** They are runs in one process. */
  @Test
  void aLimitOfProcessorTimeIsNotUsedUpByTrainingRuns() throws Exception {
    Files.writeString(pool.userFolder().resolve("limits"), "isolation clone\n");
    List<String> command =
        new ArrayList<>(List.of("bash", "-c", "ulimit -t 2; exec \"$@\"", "run"));
    command.addAll(Pool.command(Home.JAVA, of("Burns", "1500")));
    for (int run = 0; run <= RUNS; run++) {
      assertEquals(new Outcome(0, "burnt\n", ""), pool.start(pool.builder(command)).await());
      pool.awaitIdle();
    }
  }

  @Test
  void clonesReadOneJarAtTheSameTime() throws Exception {
    int resources = 300;
    Path jar = pool.work().resolve("all.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      out.putNextEntry(new JarEntry("ReadsAll.class"));
      Files.copy(classes.resolve("ReadsAll.class"), out);
      for (int i = 0; i < resources; i++) {
        out.putNextEntry(new JarEntry("r" + i));
        byte[] bytes = new byte[10_000 + i];
        java.util.Arrays.fill(bytes, (byte) i);
        out.write(bytes);
      }
    }
    List<String> command =
        Pool.command(
            Home.JAVA, List.of("-cp", jar.toString(), "ReadsAll", Integer.toString(resources)));
    Outcome first = pool.start(pool.builder(command)).await();
    assertFalse(first.out().contains("WRONG"), first::toString);
    awaitTemplate();
    for (int burst = 0; burst < RUNS; burst++) {
      List<Run> runs = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        runs.add(pool.start(pool.builder(command)));
      }
      for (Run run : runs) {
        assertEquals(first, run.await(), pool::logs);
      }
    }
    assertClonesServedLast(6 * RUNS);
  }

  /** One of them is idle meanwhile, one has a run. */
  @Test
  void jvmsThatWereTrainedBesideATemplateRetire() throws Exception {
    Files.writeString(pool.userFolder().resolve("limits"), "isolation clone\n");
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      runs.add(pool.start(pool.builder(Pool.command(Home.JAVA, of("Formats")))));
      runs.get(i).awaitOut("waiting");
    }
    Run.await("all are served", () -> Set.copyOf(pool.servedBy()).size() == 3);
    end(runs.get(0));
    end(runs.get(1));
    Run.await("two are idle", () -> idle() == 2);
    assertEquals(List.of(), pool.files("template"), "they compiled too much");

    for (int i = 0; i < 30 && logged("-> FREEZING") == 0; i++) {
      assertEquals(0, pool.run(of("Formats", "once")).status());
      Run.await("it is reset", () -> idle() == 2 || logged("-> FREEZING") == 1);
    }
    Run.await("one is the template", () -> logged("-> TEMPLATE") == 1);
    assertEquals(0, logged("retiring: spare"), pool::logs);
    end(runs.get(2));
    Run.await("the second one retires after its run", () -> logged("retiring: spare") == 1);
    runs.clear();
    for (int i = 0; i < RUNS; i++) {
      runs.add(pool.start(pool.builder(Pool.command(Home.JAVA, of("Small")))));
    }
    for (Run run : runs) {
      assertEquals(0, run.await().status());
    }
    assertClonesServedLast(RUNS);
    Run.await("the idle one retires", () -> logged("retiring: spare") == 2);
  }

  private static void end(Run run) throws Exception {
    run.signal("TERM");
    assertEquals(143, run.await().status());
  }

  private long idle() throws Exception {
    return pool.sockets().stream().filter(KeeperSocket::idleHint).count();
  }

  private long logged(String text) throws Exception {
    return pool.logs().lines().filter(line -> line.contains(text)).count();
  }

  @ParameterizedTest
  @ValueSource(strings = {"keeper of the template", "template"})
  void aRunOutlivesItsTemplate(String killed) throws Exception {
    assertEquals(0, pool.run(of("Small")).status());
    long keeper = awaitTemplate();
    Run run = pool.start(pool.builder(Pool.command(Home.JAVA, of("Burns", "2000"))));
    pool.awaitTraced(2);
    long template = child(keeper);
    Run.signal("KILL", killed.equals("template") ? template : keeper);
    assertEquals(new Outcome(0, "burnt\n", ""), run.await(), pool::logs);
    assertClonesServedLast(1);
    // The clone that is ready, and then a new JVM.
    for (int i = 0; i < RUNS; i++) {
      assertEquals(0, pool.run(of("Small")).status(), pool::logs);
      pool.awaitIdle();
    }
    assertFalse(pool.servedBy().contains(0L), pool::logs);
  }

  /** Its JVM; the keepers of the clones are its children, too. */
  private long child(long keeper) throws Exception {
    return pool.states().stream()
        .filter(jvm -> jvm.keeperPid() == keeper)
        .mapToLong(KeeperState::jvmPid)
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"clone", "its keeper"})
  void whatKillsTheProcessesOfARunKillsThatRunOnly(String killed) throws Exception {
    assertEquals(0, pool.run(of("Small")).status());
    awaitTemplate();
    Run run = pool.start(pool.builder(Pool.command(Home.JAVA, of("Waits")))).awaitOut("waiting");
    pool.awaitTraced(2);
    long clone = pool.servedLast();
    long keeper = ProcessHandle.of(clone).orElseThrow().parent().orElseThrow().pid();
    Run.signal("KILL", killed.equals("clone") ? clone : keeper);
    assertEquals(new Outcome(137, "waiting\n", ""), run.await(), pool::logs);
    Run.await("the clone has ended", () -> Run.hasEnded(clone));
    assertEquals(0, pool.run(of("Small")).status());
    assertClonesServedLast(1);
  }

  /**
   * HotSpot dies when a thread gets a stack where native memory is said to be reserved already. A
   * clone makes a file of counters, and moves it into the place of its template's.
   */
  @Test
  void nativeMemoryThatIsSaidToBeReservedIsThere() throws Exception {
    String option = "-XX:NativeMemoryTracking=detail";
    assertEquals(0, pool.run(and(option, of("Small"))).status());
    awaitTemplate();
    List<String> waits = Pool.command(Home.JAVA, and(option, of("Waits")));
    Run run = pool.start(pool.builder(waits)).awaitOut("waiting");
    pool.awaitTraced(2);
    assertClonesServedLast(1);
    String jcmd = Home.JAVA.resolveSibling("jcmd").toString();
    List<String> report = List.of(jcmd, Long.toString(run.pid()), "VM.native_memory", "detail");
    // Before and after it: the thread that makes it begins, and an idle compiler's may end.
    Path maps = Path.of("/proc", Long.toString(pool.servedLast()), "maps");
    List<String> lines = new ArrayList<>(Files.readAllLines(maps));
    Outcome told = pool.start(pool.builder(report)).await();
    assertEquals(0, told.status(), () -> told + pool.logs());
    List<String> reserved = told.out().lines().filter(RESERVED).toList();
    lines.addAll(Files.readAllLines(maps));
    List<long[]> mapped = lines.stream().map(ClonesIT::range).toList();
    assertTrue(reserved.size() > 20, reserved.toString());
    for (String line : reserved) {
      long begin = range(line)[0];
      assertTrue(mapped.stream().anyMatch(m -> m[0] <= begin && begin < m[1]), line);
    }
    run.signal("TERM");
    assertEquals(new Outcome(143, "waiting\nhook\n", ""), run.await(), pool::logs);
  }

  private static List<String> and(String option, List<String> arguments) {
    return Stream.concat(Stream.of(option), arguments.stream()).toList();
  }

  /** Begin and end of the memory that a line begins with. */
  private static long[] range(String line) {
    Matcher ends = RANGE.matcher(line);
    assertTrue(ends.lookingAt(), line);
    return new long[] {
      Long.parseUnsignedLong(ends.group(1), 16), Long.parseUnsignedLong(ends.group(2), 16)
    };
  }

  @Test
  void aTemplateThatIsToRetireTakesAlongTheClonesThatWait() throws Exception {
    assertEquals(0, pool.run(of("Small")).status());
    long template = awaitTemplate();
    List<String> waits = Pool.command(Home.JAVA, of("Waits"));
    Run run = pool.start(pool.builder(waits)).awaitOut("waiting");
    pool.awaitTraced(2);
    Run.await(
        "another clone waits", () -> pool.sockets().stream().anyMatch(KeeperSocket::idleHint));
    assertEquals(3, pool.sockets().size(), pool::logs);
    retire(template);
    Run.await("only the run is left", () -> pool.sockets().size() == 1);
    run.signal("TERM");
    assertEquals(new Outcome(143, "waiting\nhook\n", ""), run.await(), pool::logs);
  }

  /** Whoever asks while the first clone is on its way. */
  @Test
  void aJvmThatIsToRetireBecomesNoTemplate() throws Exception {
    Run run = pool.start(pool.builder(Pool.command(Home.JAVA, of("Small"))));
    Run.await("it is frozen", () -> pool.logs().contains("-> FREEZING"));
    retire(pool.sockets().get(0).keeperPid());
    Run.await("nobody is left", () -> pool.sockets().isEmpty());
    assertEquals(0, run.await().status());
    assertTrue(pool.logs().contains("TEMPLATE -> RETIRING"), pool::logs);
  }

  private void retire(long keeper) throws Exception {
    for (KeeperSocket socket : pool.sockets()) {
      if (socket.keeperPid() == keeper) {
        try (KeeperConnection connection = KeeperConnection.open(socket, Duration.ofSeconds(10))) {
          connection.retire();
        }
      }
    }
  }

  @Test
  void aBurstIsServedByClones() throws Exception {
    assertEquals(0, pool.run(of("Small")).status());
    awaitTemplate();
    Outcome stock = pool.stock(of("Small"));
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      runs.add(pool.start(pool.builder(Pool.command(Home.JAVA, of("Small")))));
    }
    for (Run run : runs) {
      assertEquals(List.of(), run.await().differences(stock), pool::logs);
    }
    assertClonesServedLast(20);
  }
}
