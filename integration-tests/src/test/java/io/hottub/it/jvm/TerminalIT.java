// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import io.hottub.it.harness.Run;
import io.hottub.it.harness.Terminal;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs at a real terminal, under a shell with job control: on the stock JVM, and then twice through
 * the client. Each time somebody types the same, and has to see the same.
 */
@NeedsHome
@Tag("clones")
class TerminalIT {
  private static final String PRINTS = "org.apache.hadoop.fs.FsShell";
  private static final String NO_TERMINAL = " </dev/null >out 2>&1";

  private interface Scene {
    void play(Terminal terminal, String java) throws Exception;
  }

  private Pool pool;
  private Path classes;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    classes = Programs.compile(pool.work().resolve("classes"), "AtTerminal");
    // A program that the client takes for one that only prints.
    Path source = pool.work().resolve("FsShell.java");
    Files.writeString(
        source,
        """
        package org.apache.hadoop.fs;
        public class FsShell {
          public static void main(String[] args) throws Throwable {
            java.lang.invoke.MethodHandles.lookup()
                .findStatic(
                    Class.forName("AtTerminal"),
                    "main",
                    java.lang.invoke.MethodType.methodType(void.class, String[].class))
                .invokeExact(args);
          }
        }
        """);
    Programs.compileSource(classes, source);
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  private void pooled(Scene scene) throws Exception {
    play(scene);
    pool.assertOneJvmServedLast(2);
  }

  private void cold(Scene scene) throws Exception {
    play(scene);
    List<String> lines = Files.readAllLines(pool.trace());
    assertTrue(lines.size() >= 2);
    assertTrue(
        lines.stream().allMatch(l -> l.contains("\"reason\":\"terminal\"")), lines.toString());
  }

  private void play(Scene scene) throws Exception {
    for (Path java : List.of(Home.COLD_JAVA, Home.JAVA, Home.JAVA)) {
      try (Terminal terminal = new Terminal(pool)) {
        scene.play(terminal, java + " -cp " + classes + " ");
      }
      pool.awaitIdle();
    }
  }

  // ---- what asks and reads

  @Test
  void aProgramReadsWhatIsTyped() throws Exception {
    cold(
        (terminal, java) -> {
          terminal.type(java + "AtTerminal line\n").await("\nready");
          terminal.type("hello\n").await("\nread hello\n");
        });
  }

  @Test
  void aReaderInTheBackgroundStopsAndTheShellGetsTheKeys() throws Exception {
    cold(
        (terminal, java) -> {
          terminal.type(java + "AtTerminal line &\n").await("ready\n");
          awaitJob(terminal, "Stopped");
          terminal.type("fg\n").await("AtTerminal line\n");
          terminal.type("hello\n").await("\nread hello\n");
        });
  }

  @Test
  void aPasswordIsNotShown() throws Exception {
    cold(
        (terminal, java) -> {
          terminal.type(java + "AtTerminal password\n").await("\npassword: ");
          assertFalse(terminal.type("secret\n").await("\ngot ").contains("secret"));
          assertEquals("secret\n", terminal.await("\n"));
        });
  }

  @Test
  void theDeviceOpensAlsoWithoutATerminalAsInput() throws Exception {
    cold(
        (terminal, java) -> {
          assertTrue(
              terminal
                  .command(java + "AtTerminal device </dev/null")
                  .contains("device opens true"));
        });
  }

  @Test
  void childrenSetTheTerminalAsLineEditorsDo() throws Exception {
    cold(
        (terminal, java) -> {
          String screen = terminal.command(java + "AtTerminal settings");
          assertTrue(screen.contains("\n30 100\nchild ends with 0\n"), screen);
        });
  }

  @Test
  void linesOfJshellAreEdited() throws Exception {
    for (Path java : List.of(Home.STOCK_JAVA, Home.JAVA, Home.JAVA)) {
      try (Terminal terminal = new Terminal(pool)) {
        // A folder of its own for its history.
        String settings = " -J-Djava.util.prefs.userRoot=" + pool.work();
        terminal.command("export TERM=xterm");
        terminal.type(java.resolveSibling("jshell") + settings + "\n").await("jshell> ");
        terminal.type("7 * 6" + Terminal.CTRL_A + "1\n").await("==> 102\n");
        terminal.await("jshell> ");
        terminal.type(Terminal.CTRL_P + "\n").await("==> 102\n");
        terminal.await("jshell> ");
        assertTrue(terminal.type("/exit 3\n").prompt().contains("status 3"), terminal.screen());
      }
      pool.awaitIdle();
    }
  }

  // ---- what only prints

  @Test
  void aProgramThatPrintsSeesTheTerminal() throws Exception {
    pooled(
        (terminal, java) -> {
          String screen = terminal.command(java + PRINTS + " facts");
          assertTrue(
              screen.contains("\nconsole true\navailable true\n30 100\nchild ends with 0\n"),
              screen);
        });
  }

  @Test
  void aProgramThatPrintsDoesSoInTheBackground() throws Exception {
    pooled(
        (terminal, java) -> {
          terminal.type(java + PRINTS + " facts &\n").await("child ends with 0\n");
          // by its pid: a shell that has told of its end has forgotten its number
          assertTrue(terminal.command("wait $!").contains("status 0"));
        });
  }

  @Test
  void aProgramThatReadsAgainstAllExpectationTakesNoKeys() throws Exception {
    for (int run = 0; run < 2; run++) {
      try (Terminal terminal = new Terminal(pool)) {
        terminal.type(Home.JAVA + " -cp " + classes + " " + PRINTS + " line &\n").await("ready\n");
        terminal.await("java.io.IOException: Bad file descriptor");
        assertTrue(terminal.command("echo keys").contains("\nkeys\n"));
        pool.awaitTraced(run + 1);
      }
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(2);
  }

  // ---- keys and commands that send signals

  @Test
  void interruptKeyEndsTheRun() throws Exception {
    pooled(
        (terminal, java) -> {
          terminal.type(java + PRINTS + " sleep\n").await("\nsleeping\n");
          String screen = terminal.type(Terminal.CTRL_C).prompt();
          assertTrue(screen.contains("hook\n") && screen.contains("status 130"), screen);
        });
  }

  @Test
  void quitKeyShowsTheThreads() throws Exception {
    pooled(
        (terminal, java) -> {
          terminal.type(java + PRINTS + " sleep\n").await("\nsleeping\n");
          terminal.type(Terminal.CTRL_BACKSLASH).await("Full thread dump");
          terminal.await("JNI global refs");
          assertTrue(terminal.type(Terminal.CTRL_C).prompt().contains("status 130"));
        });
  }

  @Test
  void suspendKeyStopsTheRunUntilItIsInTheForegroundAgain() throws Exception {
    pooled(
        (terminal, java) -> {
          terminal.type(java + PRINTS + " sleep\n").await("\nsleeping\n");
          terminal.type(Terminal.CTRL_Z).await("Stopped");
          // 128 + SIGTSTP
          assertTrue(terminal.prompt().contains("status 148"), terminal.screen());
          terminal.type("bg\n");
          awaitJob(terminal, "Running");
          terminal.type("fg\n").await("sleep\n");
          terminal.awaitForeground("java");
          String screen = terminal.type(Terminal.CTRL_C).prompt();
          assertTrue(screen.contains("hook\n") && screen.contains("status 130"), screen);
        });
  }

  @Test
  void aProgramLearnsOfANewSizeOfTheWindow() throws Exception {
    pooled(
        (terminal, java) -> {
          Matcher device = Pattern.compile("/dev/pts/\\d+").matcher(terminal.command("tty"));
          assertTrue(device.find(), terminal.screen());
          int traced = pool.servedBy().size();
          terminal.type(java + PRINTS + " resized\n").await("waits\n");
          pool.awaitTraced(traced + (java.startsWith(Home.JAVA + " ") ? 1 : 0));
          // one of both: stty sets them one after the other, and the program is told of each
          Process resize =
              new ProcessBuilder("stty", "-F", device.group(), "rows", "40").inheritIO().start();
          assertEquals(0, resize.waitFor());
          terminal.await("40 100\n");
          assertTrue(terminal.prompt().contains("status 0"), terminal.screen());
        });
  }

  @Test
  void killOfAJobEndsTheRun() throws Exception {
    pooled(
        (terminal, java) -> {
          terminal.type(java + PRINTS + " sleep &\n").await("sleeping\n");
          String screen = terminal.command("kill %1; wait %1");
          assertTrue(screen.contains("hook\n") && screen.contains("status 143"), screen);
        });
  }

  @Test
  void theRunEndsWithItsTerminal() throws Exception {
    for (Path java : List.of(Home.COLD_JAVA, Home.JAVA, Home.JAVA)) {
      Files.deleteIfExists(out());
      try (Terminal terminal = new Terminal(pool)) {
        terminal.type(java + " -cp " + classes + " AtTerminal sleep" + NO_TERMINAL + "\n");
        awaitOut("sleeping");
      }
      awaitOut("hook");
      assertEquals("sleeping\nhook\n", Files.readString(out()));
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(2);
  }

  // ---- children of a run

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "key      |                    | INT  | status 130",
        "timeout  | timeout 600        | TERM | status 124",
        "kill %1  |                    | TERM | status 143",
        "hang up  |                    | HUP  | "
      })
  void childrenGetWhatTheGroupGets(String how, String prefix, String signal, String status)
      throws Exception {
    for (Path java : List.of(Home.COLD_JAVA, Home.JAVA, Home.JAVA)) {
      Files.deleteIfExists(out());
      String command = java + " -cp " + classes + " AtTerminal parent" + NO_TERMINAL;
      if (prefix != null) {
        command = prefix + " " + command;
      }
      try (Terminal terminal = new Terminal(pool)) {
        terminal.type(command + (how.equals("kill %1") ? " &\n" : "\n"));
        awaitOut("child is");
        if (how.equals("key")) {
          terminal.type(Terminal.CTRL_C);
        } else if (how.equals("kill %1")) {
          terminal.type("kill %1; wait %1\n");
        } else if (how.equals("timeout")) {
          // as its timer does, which would have to be longer than any machine needs until here
          Run.signal("ALRM", terminal.pid("timeout"));
        }
        if (!how.equals("hang up")) {
          assertTrue(terminal.prompt().contains(status), terminal.screen());
        }
      }
      awaitOut("child got " + signal);
      pool.awaitIdle();
    }
    assertFalse(pool.servedBy().contains(0L), pool.logs());
  }

  @Test
  void childrenStopAndContinueWithTheirGroup() throws Exception {
    for (Path java : List.of(Home.COLD_JAVA, Home.JAVA, Home.JAVA)) {
      Files.deleteIfExists(out());
      try (Terminal terminal = new Terminal(pool)) {
        terminal.type(java + " -cp " + classes + " AtTerminal parent" + NO_TERMINAL + "\n");
        long child = child();
        terminal.type(Terminal.CTRL_Z).await("Stopped");
        Run.await("the child is stopped", () -> isStopped(child));
        terminal.type("fg\n");
        Run.await("the child goes on", () -> !isStopped(child));
        assertTrue(terminal.type(Terminal.CTRL_C).prompt().contains("status 130"));
      }
      awaitOut("child got INT");
      pool.awaitIdle();
    }
    assertFalse(pool.servedBy().contains(0L), pool.logs());
  }

  @Test
  void childrenDoNotGetWhatOnlyTheRunGets() throws Exception {
    for (Path java : List.of(Home.COLD_JAVA, Home.JAVA)) {
      Files.deleteIfExists(out());
      try (Terminal terminal = new Terminal(pool)) {
        terminal.type(java + " -cp " + classes + " AtTerminal parent" + NO_TERMINAL + " &\n");
        long child = child();
        try {
          assertTrue(terminal.command("kill $!; wait $!").contains("status 143"));
          Thread.sleep(200);
          assertTrue(state(child) != 'Z' && !Files.readString(out()).contains("got"));
        } finally {
          ProcessHandle.of(child).ifPresent(ProcessHandle::destroyForcibly);
        }
      }
    }
    assertFalse(pool.servedBy().contains(0L), pool.logs());
  }

  // ----

  /** Asks the shell for its jobs until it says this of one. */
  private static void awaitJob(Terminal terminal, String state) throws Exception {
    Run.await("a job is " + state, () -> terminal.command("jobs").contains(state));
  }

  private Path out() {
    return pool.work().resolve("out");
  }

  private void awaitOut(String text) throws Exception {
    Run.await(text, () -> Files.exists(out()) && Files.readString(out()).contains(text));
  }

  private long child() throws Exception {
    awaitOut("child is");
    Matcher matcher = Pattern.compile("child is (\\d+)").matcher(Files.readString(out()));
    assertTrue(matcher.find());
    return Long.parseLong(matcher.group(1));
  }

  /**
   * Whether a shell is stopped. One that was just starting its sleep by vfork waits for it in the
   * kernel, where no signal reaches it; then the child that shares its memory is what stands still.
   */
  private static boolean isStopped(long shell) throws Exception {
    if (state(shell) != 'D') {
      return state(shell) == 'T';
    }
    Path children = Path.of("/proc/" + shell + "/task/" + shell + "/children");
    String child = Files.readString(children).strip();
    try {
      return !child.isEmpty() && state(Long.parseLong(child)) == 'T';
    } catch (NoSuchFileException e) {
      return false; // it has gone on
    }
  }

  private static char state(long pid) throws Exception {
    return Run.state(Path.of("/proc/" + pid));
  }
}
