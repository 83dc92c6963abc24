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
import io.hottub.it.harness.Ports;
import io.hottub.it.harness.Programs;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No run sees what the runs before have done: a probe prints the same as in a new JVM. */
@NeedsHome
@Tag("clones")
class StateIT {
  private static final int ROUNDS = 3;

  private Pool pool;
  private int port;
  private List<String> common;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    Path classes = Programs.compile(pool.work().resolve("classes"), "Dirty", "Probe");
    port = Ports.free(1).get(0);
    common = List.of("-XX:MaxDirectMemorySize=48m", "-cp", classes.toString());
    Path other = Files.createDirectory(pool.work().resolve("other"));
    for (Path folder : List.of(pool.work(), other)) {
      Files.writeString(folder.resolve("marker"), "marker of " + folder.getFileName());
    }
    try (OutputStream file = Files.newOutputStream(other.resolve("some.zip"));
        ZipOutputStream zip = new ZipOutputStream(file)) {
      zip.putNextEntry(new ZipEntry("entry"));
    }
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  private Outcome probe(Path java) throws Exception {
    List<String> command =
        new ArrayList<>(List.of("bash", "-c", "trap '' HUP USR1; umask 037; exec \"$@\"", "-"));
    command.add(java.toString());
    command.add("-Dprobe=1");
    command.addAll(common);
    command.addAll(List.of("Probe", Integer.toString(port)));
    ProcessBuilder builder = pool.builder(command);
    builder.environment().put("MARK", "of the probe");
    Path in = pool.work().resolve("in");
    Files.writeString(in, "some input");
    builder.redirectInput(in.toFile());
    return pool.start(builder).await();
  }

  private Outcome dirty() throws Exception {
    List<String> command = new ArrayList<>(List.of("bash", "-c", "umask 0; exec \"$@\"", "-"));
    command.add(Home.JAVA.toString());
    command.add("-Ddirty=at-start");
    command.addAll(common);
    command.addAll(List.of("Dirty", Integer.toString(port), "21"));
    ProcessBuilder builder = pool.builder(command);
    builder.directory(pool.work().resolve("other").toFile());
    builder.environment().put("MARK", "dirty");
    builder.environment().put("DIRTY", "yes");
    return pool.start(builder).await();
  }

  @Test
  void aProbeSeesNothingOfFormerRuns() throws Exception {
    Outcome stock = probe(Home.COLD_JAVA);
    assertTrue(stock.out().contains("no line break"), stock.toString());
    List<String> failures = new ArrayList<>();
    compare("first run", stock, failures);
    for (int round = 1; round <= ROUNDS; round++) {
      assertEquals(new Outcome(21, "dirty\n", ""), dirty(), "round " + round + pool.logs());
      assertFalse(
          Files.exists(pool.work().resolve("other/delete-on-exit")), "deleteOnExit, " + round);
      // Free as soon as the client has ended.
      new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
      pool.awaitIdle();
      compare("after " + round, stock, failures);
    }
    assertTrue(failures.isEmpty(), () -> String.join("\n", failures));
    pool.assertOneJvmServedLast(1 + 2 * ROUNDS);
  }

  private void compare(String when, Outcome stock, List<String> failures) throws Exception {
    Outcome outcome = probe(Home.JAVA);
    pool.awaitIdle();
    outcome.differences(stock).forEach(line -> failures.add(when + ":\n  " + line));
  }

  /** The class library copies some properties when it first needs them. */
  @Test
  void copiesOfPropertiesAreThoseOfTheRun() throws Exception {
    Path work = pool.work();
    Path copies = Programs.compile(work.resolve("copies"), "Copies");
    for (String folder : List.of("one", "two")) {
      Files.createDirectories(work.resolve(folder).resolve("tmp"));
      Files.writeString(work.resolve(folder).resolve("marker"), "marker of " + folder);
    }
    Programs.compileLibrary(work.resolve("one/libnatives.so"), "natives");
    for (String folder : List.of("one", "two", "one", "two", "")) {
      List<String> arguments = new ArrayList<>(List.of("-cp", copies.toString(), "Copies"));
      if (!folder.isEmpty()) {
        Path of = work.resolve(folder);
        arguments.add(0, "-Djava.io.tmpdir=" + of.resolve("tmp"));
        arguments.add(0, "-Djava.library.path=" + of);
        arguments.add(0, "-Duser.dir=" + of);
      }
      List<Outcome> outcomes = new ArrayList<>();
      for (Path java : List.of(Home.COLD_JAVA, Home.JAVA)) {
        ProcessBuilder builder = pool.builder(Pool.command(java, arguments));
        builder.environment().put("LD_LIBRARY_PATH", "/none/" + folder);
        outcomes.add(pool.start(builder).await());
        pool.awaitIdle();
      }
      assertEquals(0, outcomes.get(0).status(), outcomes.toString());
      assertEquals(outcomes.get(0), outcomes.get(1), folder + pool.logs());
    }
    pool.assertOneJvmServedLast(5);
  }

  /** Of others it has copies before main, which comes too late to set them. */
  @Test
  void propertiesAreCopiedBeforeMain() throws Exception {
    Path classes = Programs.compile(pool.work().resolve("late"), "LateProperties");
    Path late = Files.createDirectories(pool.work().resolve("of-main"));
    List<Outcome> outcomes = new ArrayList<>();
    for (Path java : List.of(Home.COLD_JAVA, Home.JAVA, Home.JAVA, Home.JAVA)) {
      List<String> arguments =
          List.of("-cp", classes.toString(), "LateProperties", late.toString());
      outcomes.add(pool.start(pool.builder(Pool.command(java, arguments))).await());
      pool.awaitIdle();
      assertEquals(outcomes.get(0), outcomes.get(outcomes.size() - 1), pool.logs());
    }
    assertEquals(0, outcomes.get(0).status(), outcomes.toString());
    pool.assertOneJvmServedLast(3);
  }

  private Outcome limits(Path java, Path classes, String before, String change) throws Exception {
    String command = before + "; exec \"$@\"";
    List<String> all = new ArrayList<>(List.of("bash", "-c", command, "-", java.toString()));
    all.addAll(List.of("-cp", classes.toString(), "SoftLimits", change));
    Outcome outcome = pool.start(pool.builder(all)).await();
    pool.awaitIdle();
    return outcome;
  }

  /** The change itself must succeed. */
  private void assertLimitsAsOnStock(Path classes, String before, String change) throws Exception {
    Outcome stock = limits(Home.COLD_JAVA, classes, before, change);
    assertEquals(0, stock.status(), stock.toString());
    assertTrue(stock.out().endsWith("\n0\n"), stock.toString());
    assertEquals(
        stock, limits(Home.JAVA, classes, before, change), before + ", " + change + pool.logs());
  }

  /** Of a run that begins with others, or changes its own. */
  @Test
  void softLimitsAreThoseOfTheRun() throws Exception {
    Path limits = Programs.compile(pool.work().resolve("limits"), "SoftLimits");
    List<String> before = List.of("true", "ulimit -S -c 7", "true", "ulimit -S -c 9 -f 100000");
    for (String change : List.of("true", "prlimit --pid $PPID --core=5:")) {
      for (String limit : before) {
        assertLimitsAsOnStock(limits, limit, change);
      }
    }
    pool.assertOneJvmServedLast(2 * before.size());
  }

  /**
   * It would lie in the folder of the pool, which is memory. A run leaves one as its caller says.
   */
  @Test
  void aJvmAtRestLeavesNoCore() throws Exception {
    Path limits = Programs.compile(pool.work().resolve("limits"), "SoftLimits");
    for (int run = 0; run < 2; run++) {
      assertLimitsAsOnStock(limits, "ulimit -S -c 7", "true");
      for (long pid : List.of(pool.state().keeperPid(), pool.state().jvmPid())) {
        String all = Files.readString(Path.of("/proc/" + pid + "/limits"));
        assertTrue(Pattern.compile("Max core file size +0 ").matcher(all).find(), all);
      }
    }
  }

  /** Where a pooled JVM has no numbers for those of the run, it is cold, and none is started. */
  @Test
  void fewDescriptorsAreEnough() throws Exception {
    Path limits = Programs.compile(pool.work().resolve("limits"), "SoftLimits");
    for (int count : List.of(40, 520, 767)) {
      assertLimitsAsOnStock(limits, "ulimit -n " + count, "true");
      assertEquals("open-files", pool.reasons().get(pool.reasons().size() - 1));
    }
    assertEquals(List.of(), pool.states());
    for (int count : List.of(768, 1000)) {
      assertLimitsAsOnStock(limits, "ulimit -n " + count, "true");
      assertTrue(pool.servedLast() > 0, pool.logs());
    }
  }

  /** One that the C library keeps for itself, and that its functions therefore do not set. */
  @Test
  void anIgnoredSignalOfTheLibraryIsThatOfTheRun() throws Exception {
    Path classes = Programs.compile(pool.work().resolve("ignored"), "IgnoredSignals");
    List<String> handlers = List.of("1", "0", "1", "0"); // SIG_IGN, SIG_DFL
    for (String handler : handlers) {
      String rtSigaction =
          "$a = pack('Q4', %s); syscall(13, 32, $a, 0, 8); exec @ARGV".formatted(handler);
      List<Outcome> outcomes = new ArrayList<>();
      for (Path java : List.of(Home.COLD_JAVA, Home.JAVA)) {
        String[] command = {
          "perl", "-e", rtSigaction, java.toString(), "-cp", classes.toString(), "IgnoredSignals"
        };
        outcomes.add(pool.start(pool.builder(List.of(command))).await());
        pool.awaitIdle();
      }
      assertEquals(outcomes.get(0), outcomes.get(1), "handler " + handler + pool.logs());
      String set = outcomes.get(0).out().substring("SigIgn:".length()).trim();
      boolean ignored = (Long.parseUnsignedLong(set, 16) & 1L << 31) != 0;
      assertEquals("1".equals(handler), ignored, outcomes.toString());
    }
    pool.assertOneJvmServedLast(handlers.size());
  }

  private static long nice(long pid) throws Exception {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[16]);
  }

  /** Each thread has its own. */
  private static String renice(int nice, String process) {
    return "for t in /proc/%s/task/*; do renice %d ${t##*/}; done >/dev/null"
        .formatted(process, nice);
  }

  /** A run may lower its own priority, the pool's service that of an idle JVM. */
  @Test
  @Tag("reuse")
  void theNiceValueIsThatOfTheRun() throws Exception {
    assumeTrue(Files.isWritable(Path.of("/proc/1/comm")), "needs the right to raise a priority");
    Path limits = Programs.compile(pool.work().resolve("limits"), "SoftLimits");
    long own = nice(ProcessHandle.current().pid());
    for (String change : List.of("true", renice(18, "$PPID"), "true")) {
      assertLimitsAsOnStock(limits, "true", change);
      String jvm = Long.toString(pool.state().jvmPid());
      assertEquals(own, nice(Long.parseLong(jvm)), "after " + change);
      List<String> lower = List.of("bash", "-c", renice(19, jvm));
      assertEquals(0, pool.start(pool.builder(lower)).await().status());
    }
    pool.assertOneJvmServedLast(3);
  }

  /** Whoever has the same user may change them from outside, as a child does. */
  @Test
  @Tag("reuse")
  void settingsOfTheProcessAreTakenBack() throws Exception {
    Path limits = Programs.compile(pool.work().resolve("limits"), "SoftLimits");
    List<String> changes =
        List.of(
            "true",
            "echo 300 > /proc/$PPID/oom_score_adj",
            "echo 0x7f > /proc/$PPID/coredump_filter",
            "chrt -a -b -p 0 $PPID",
            "chrt -a -f -p 3 $PPID 2>/dev/null",
            // A stock JVM is in the session of the tests.
            "if [ $(cut -d' ' -f6 /proc/$PPID/stat) = $PPID ] && [ -e /proc/$PPID/autogroup ];"
                + " then echo 5 > /proc/$PPID/autogroup; fi",
            "for t in /proc/$PPID/task/*; do ionice -c 3 -p ${t##*/}; done",
            "taskset -a -p 1 $PPID >/dev/null",
            "true");
    for (String change : changes) {
      assertLimitsAsOnStock(limits, "true", change);
      Path name = Path.of("/proc/" + pool.state().jvmPid() + "/comm");
      assertEquals("pooled-java\n", Files.readString(name), "after " + change);
    }
    pool.assertOneJvmServedLast(changes.size());
  }

  /** It may still use what it has of the run. */
  @Test
  void aChildThatLivesOnEndsTheJvm() throws Exception {
    Path limits = Programs.compile(pool.work().resolve("limits"), "SoftLimits");
    for (int run = 0; run < 2; run++) {
      Outcome outcome = limits(Home.JAVA, limits, "true", "exec sleep 100");
      Matcher child = Pattern.compile("child (\\d+)").matcher(outcome.out());
      assertTrue(child.find(), outcome.toString());
      ProcessHandle.of(Long.parseLong(child.group(1))).ifPresent(ProcessHandle::destroyForcibly);
    }
    assertEquals(2, new HashSet<>(pool.servedBy()).size(), pool.logs());
    assertTrue(pool.logs().contains("a child process of the run lives on"), pool.logs());
  }

  @Test
  @Tag("reuse")
  void descriptorsAndThreadsDoNotGrow() throws Exception {
    dirty();
    pool.awaitIdle();
    long jvm = pool.state().jvmPid();
    List<String> descriptors = descriptors(jvm);
    Path rests = Path.of("/proc/" + jvm + "/cwd").toRealPath();
    assertFalse(rests.startsWith(pool.work()), "works on in " + rests);
    for (int round = 0; round < ROUNDS; round++) {
      dirty();
      pool.awaitIdle();
      assertEquals(descriptors, descriptors(jvm), "round " + round);
    }
    pool.assertOneJvmServedLast(1 + ROUNDS);
  }

  /** Each holds 32 KiB of native memory that goes only when it is closed. */
  @Test
  @Tag("reuse")
  void openDirectoryStreamsLeaveNoMemory() throws Exception {
    Path folders = Programs.compile(pool.work().resolve("folders"), "Folders");
    long before = 0;
    for (int run = 1; run <= 12; run++) {
      assertEquals(
          new Outcome(0, "200\n", ""),
          pool.run("-cp", folders.toString(), "Folders"),
          "run " + run);
      pool.awaitIdle();
      if (run == 2) {
        before = dataKib(pool.state().jvmPid());
      }
    }
    long grown = dataKib(pool.state().jvmPid()) - before;
    assertTrue(grown < 30 * 1024, "grown by " + grown + " KiB");
    pool.assertOneJvmServedLast(12);
  }

  private static long dataKib(long pid) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
        .filter(line -> line.startsWith("VmData:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> descriptors(long pid) throws IOException {
    List<String> all = new ArrayList<>();
    try (Stream<Path> links = Files.list(Path.of("/proc/" + pid + "/fd"))) {
      for (Path link : links.sorted().toList()) {
        all.add(link.getFileName() + " " + Files.readSymbolicLink(link));
      }
    }
    return all;
  }

  @Test
  void randomSourcesDrawAnewInEveryRun() throws Exception {
    Path classes = Programs.compile(pool.work().resolve("draws"), "Draws");
    int runs = 6;
    Map<String, Set<String>> drawn = new HashMap<>();
    for (int run = 0; run < runs; run++) {
      Outcome outcome =
          pool.run(
              "--add-opens", "java.base/java.util=ALL-UNNAMED", "-cp", classes.toString(), "Draws");
      outcome
          .out()
          .lines()
          .map(line -> line.split("=", 2))
          .forEach(parts -> drawn.computeIfAbsent(parts[0], n -> new HashSet<>()).add(parts[1]));
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(runs);
    drawn.remove("pid");
    assertEquals(15, drawn.size(), drawn::toString);
    drawn.forEach((name, values) -> assertEquals(runs, values.size(), name + values));
  }
}
