// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import io.hottub.it.harness.Run;
import io.hottub.protocol.KeeperState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The JDK's tools look into a pooled JVM, in a run and between runs, and do it no harm. */
@NeedsHome
@Tag("clones")
class AttachIT {
  private static final String TERMINATED = "TERM";
  private static final String KILLED = "KILL";

  /** What they show of the run. */
  private static final Map<String, String> TOOLS =
      Map.of(
          "jcmd PID Thread.print", "Waits.main(",
          "jstack PID", "Waits.main(",
          "jmap -histo PID", "java.lang.String",
          "jinfo -sysprops PID", "sun.java.command=Waits",
          "jstat -class PID", "Unloaded",
          "jcmd PID PerfCounter.print", "sun.rt.javaCommand=\"Waits\"");

  private static final List<String> SAME_COUNTERS =
      List.of(
          "java.property.java.class.path",
          "java.property.java.library.path",
          "java.rt.vmArgs",
          "sun.gc.collector.0.invocations",
          "sun.gc.collector.1.invocations",
          "sun.gc.collector.2.invocations",
          "sun.gc.lastCause",
          "sun.rt.javaCommand");

  /** What is compiled in the background depends on chance. */
  private static final Pattern OF_THE_MOMENT =
      Pattern.compile(
          "(?i).*time([.]self)?|sun[.](ci|os|perfdata)[.].*"
              + "|sun[.]gc[.](generation|metaspace|compressedclassspace)[.].*");

  private Pool pool;
  private Path classes;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    classes = Programs.compile(pool.work().resolve("classes"), "Waits");
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  private Outcome jcmd(String command) throws Exception {
    return jcmd(pool.state().jvmPid(), command);
  }

  private Outcome jcmd(long process, String command) throws Exception {
    Path tool = Home.JAVA.resolveSibling("jcmd");
    return pool.start(pool.builder(List.of(tool.toString(), Long.toString(process), command)))
        .await();
  }

  private Run startWaiting(Path java, String... arguments) throws Exception {
    return startWaiting(List.of(java.toString()), arguments);
  }

  private Run startWaiting(List<String> javaAndOptions, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("env", "--default-signal"));
    all.addAll(javaAndOptions);
    all.addAll(List.of("-cp", classes.toString(), "Waits"));
    all.addAll(List.of(arguments));
    return pool.start(pool.builder(all)).awaitOut("waiting");
  }

  /** What jps says of a process: its line without the number, if it knows the process. */
  private Optional<String> jps(long process) throws Exception {
    Path tool = Home.JAVA.resolveSibling("jps");
    String all = pool.start(pool.builder(List.of(tool.toString(), "-l", "-m"))).await().out();
    String start = process + " ";
    return all.lines()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length()))
        .findFirst();
  }

  @Test
  void attachesInARunAndBetweenRuns() throws Exception {
    for (int i = 0; i < 3; i++) {
      Run run = startWaiting(Home.JAVA);
      Outcome threads = jcmd("Thread.print");
      assertTrue(threads.out().contains("Waits.main(Waits.java"), threads.toString());
      run.signal(TERMINATED);
      assertEquals(new Outcome(143, "waiting\nhook\n", ""), run.await(), "run " + i);
      pool.awaitIdle();
      if (!Pool.CLONES) {
        assertEquals(0, jcmd("VM.version").status(), "between runs, " + i + pool.logs());
      }
    }
    pool.assertOneJvmServedLast(3);
  }

  /** Of the process that was started, which is the client. */
  @Test
  void toolsGetToTheRunByThePidOfItsProcess() throws Exception {
    for (int i = 0; i < 3; i++) {
      Run run = startWaiting(Home.JAVA);
      pool.awaitTraced(i + 1);
      String pid = Long.toString(run.pid());
      for (String line : TOOLS.keySet()) {
        List<String> command = new ArrayList<>(List.of(line.split(" ")));
        command.set(0, Home.JAVA.resolveSibling(command.get(0)).toString());
        command.set(command.indexOf("PID"), pid);
        Outcome outcome = pool.start(pool.builder(command)).await();
        assertEquals(0, outcome.status(), line + outcome + run.out() + pool.logs());
        assertTrue(outcome.out().contains(TOOLS.get(line)), line + outcome);
      }
      run.signal(TERMINATED);
      assertEquals(new Outcome(143, "waiting\nhook\n", ""), run.await(), "run " + i);
      assertFalse(Files.exists(Path.of("/tmp/.java_pid" + pid), NOFOLLOW_LINKS));
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(3);
  }

  /** What waits for tools from then on has a descriptor, and so has who is about to answer one. */
  @Test
  void toolsTakeNoDescriptorFromLaterRuns() throws Exception {
    Programs.compile(classes, "Inherited");
    Files.writeString(classes.resolve("text"), "some");
    for (int i = 0; i < 2; i++) {
      Run run = startWaiting(Home.JAVA);
      assertEquals(0, jcmd("VM.version").status(), pool.logs());
      run.signal(TERMINATED);
      run.await();
      pool.awaitIdle();
    }
    List<Outcome> outcomes = new ArrayList<>();
    for (Path java : List.of(Home.COLD_JAVA, Home.JAVA, Home.JAVA)) {
      String command = "exec 3</dev/null 4</dev/zero 5</dev/full && exec " + java;
      command += " -cp " + classes + " Inherited 5 text";
      outcomes.add(pool.start(pool.builder(List.of("bash", "-c", command))).await());
      pool.awaitIdle();
    }
    Outcome expected = new Outcome(0, "some\n/dev/null\n/dev/zero\n/dev/full\n", "");
    assertEquals(List.of(expected, expected, expected), outcomes, pool.logs());
    pool.assertOneJvmServedLast(4);
  }

  /** The VM has one for tools as soon as one has come. */
  @Test
  void toolsLeaveNoThreadToLaterRuns() throws Exception {
    Programs.compile(classes, "ThreadNames");
    List<String> arguments = List.of("-cp", classes.toString(), "ThreadNames");
    Outcome stock = pool.cold(arguments);
    assertTrue(stock.out().contains("main"), stock.toString());
    for (int i = 0; i < 3; i++) {
      Run run = startWaiting(Home.JAVA);
      assertEquals(0, jcmd("VM.version").status(), "in a run" + pool.logs());
      run.signal(TERMINATED);
      run.await();
      pool.awaitIdle();
      assertEquals(stock, pool.run(arguments), "after a tool in a run" + pool.logs());
      pool.awaitIdle();
      if (!Pool.CLONES) {
        assertEquals(0, jcmd("VM.version").status(), "between runs" + pool.logs());
      }
      assertEquals(stock, pool.run(arguments), "after a tool between runs" + pool.logs());
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(9);
  }

  /** What jstat, jps -v and others read. */
  private Map<String, String> counters(Path java) throws Exception {
    Run run = startWaiting(List.of(java.toString(), "-Da=b", "-Djava.library.path=/some"));
    Outcome printed = jcmd(run.pid(), "PerfCounter.print");
    run.signal(TERMINATED);
    run.await();
    pool.awaitIdle();
    Map<String, String> counters = new TreeMap<>();
    for (String line : printed.out().lines().filter(text -> text.contains("=")).toList()) {
      counters.put(line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1));
    }
    return counters;
  }

  /** Those that tell the moment may differ; the others begin as in a new JVM. */
  @Test
  void countersAreOfTheRun() throws Exception {
    Programs.compile(classes, "Counts");
    Path copy = Programs.compile(pool.work().resolve("copy"), "Counts", "Waits");
    Map<String, String> stock = counters(Home.COLD_JAVA);
    assertEquals("\"-Da=b -Djava.library.path=/some\"", stock.get("java.rt.vmArgs"));
    List<String> count =
        List.of("-Dc=d", "-Djava.library.path=/some", "-cp", copy.toString(), "Counts");
    assertEquals(new Outcome(0, "40\n", ""), pool.run(count));
    pool.awaitIdle();
    Map<String, String> once = counters(Home.JAVA);
    for (String name : SAME_COUNTERS) {
      assertEquals(stock.get(name), once.get(name), name);
    }
    for (int i = 0; i < 5; i++) {
      pool.run(count);
      pool.awaitIdle();
    }
    Map<String, String> later = counters(Home.JAVA);
    for (Map.Entry<String, String> counter : later.entrySet()) {
      String before = once.getOrDefault(counter.getKey(), "0");
      if (!counter.getValue().startsWith("\"")
          && !OF_THE_MOMENT.matcher(counter.getKey()).matches()) {
        long most = 2 * Long.parseLong(before) + 100;
        assertTrue(Long.parseLong(counter.getValue()) <= most, before + " before " + counter);
      }
    }
    pool.assertOneJvmServedLast(8);
  }

  @Test
  void jpsNamesTheProgramOfTheRun() throws Exception {
    String[] longOne = {"first", "x".repeat(2000)};
    Run cold = startWaiting(Home.COLD_JAVA, longOne);
    String expected = jps(cold.pid()).orElseThrow();
    assertTrue(expected.startsWith("Waits first xxx"), expected);
    cold.signal(TERMINATED);
    cold.await();
    int runs = 0;
    for (int i = 0; i < 2; i++) {
      for (String[] arguments : List.of(longOne, new String[] {"second"})) {
        Run run = startWaiting(Home.JAVA, arguments);
        pool.awaitTraced(++runs);
        long jvm = pool.servedBy().get(runs - 1);
        String line = jps(run.pid()).orElse("none");
        assertEquals(arguments == longOne ? expected : "Waits second", line, "run " + i);
        assertEquals(Optional.empty(), jps(jvm), "in the run, by another pid");
        run.signal(arguments == longOne ? TERMINATED : KILLED);
        run.await();
        pool.awaitIdle();
        assertEquals(Optional.empty(), jps(run.pid()), "after the run");
        for (KeeperState pooled : pool.states()) {
          assertEquals(Optional.of(""), jps(pooled.jvmPid()), "between runs");
        }
      }
    }
    pool.assertOneJvmServedLast(4);
  }

  /** Tools find the agent by a performance counter of the JVM, which nothing can take back. */
  @Test
  void aRunThatStartsTheManagementAgentIsTheLastOfItsJvm() throws Exception {
    Path program = Programs.compile(pool.work().resolve("attaches"), "Attaches");
    List<String> arguments =
        List.of(
            "--add-modules=jdk.attach",
            "-Djdk.attach.allowAttachSelf",
            "-cp",
            program.toString(),
            "Attaches");
    assertEquals(new Outcome(0, "agent: true\n", ""), pool.cold(arguments));
    for (int i = 1; i <= 2; i++) {
      assertEquals(new Outcome(0, "agent: true\n", ""), pool.run(arguments), "run " + i);
      Run.await("the JVM has ended", () -> pool.sockets().isEmpty());
    }
    assertTrue(pool.logs().contains("a management agent was started"), pool.logs());
  }
}
