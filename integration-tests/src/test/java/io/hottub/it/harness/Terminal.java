// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** An interactive bash with job control at a terminal of its own, and somebody who types. */
public final class Terminal implements AutoCloseable {
  /** To the begin of the line, where it is edited. */
  public static final String CTRL_A = "\u0001";

  /** The line before it. */
  public static final String CTRL_P = "\u0010";

  public static final String CTRL_C = "\u0003";
  public static final String CTRL_Z = "\u001a";
  public static final String CTRL_BACKSLASH = "\u001c";

  private final Process process;
  private final OutputStream keys;
  private final Path screen;
  private int seen;
  private int commands;

  /** Opens one, in a pool's environment and folder. */
  public Terminal(Pool pool) throws Exception {
    screen = Files.createTempFile(pool.work(), "screen", "");
    ProcessBuilder builder =
        pool.builder(
                List.of(
                    "script",
                    "-q",
                    "-f",
                    "-c",
                    "env --default-signal bash --noprofile --norc -i",
                    "/dev/null"))
            .redirectErrorStream(true)
            .redirectOutput(screen.toFile());
    builder.environment().put("TERM", "dumb");
    builder.environment().put("HISTFILE", "");
    process = builder.start();
    keys = process.getOutputStream();
    command("stty rows 30 cols 100");
  }

  /** Types keys, a line end where there is one. */
  public Terminal type(String text) throws IOException {
    keys.write(text.getBytes(StandardCharsets.ISO_8859_1));
    keys.flush();
    return this;
  }

  /** Everything that was on the screen. */
  public String screen() throws IOException {
    return Files.readString(screen, StandardCharsets.ISO_8859_1).replace("\r", "");
  }

  /** Waits for a text after all that was waited for; what is on the screen in between, and it. */
  public String await(String text) throws Exception {
    try {
      Run.await("on the screen: " + text, () -> screen().indexOf(text, seen) >= 0);
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "\n--- screen:\n" + screen(), e);
    }
    String all = screen();
    int end = all.indexOf(text, seen) + text.length();
    String between = all.substring(seen, end);
    seen = end;
    return between;
  }

  /** Types a command and waits for its end: what it printed, and the status in a line. */
  public String command(String line) throws Exception {
    // At once: what is typed later may be echoed in the middle of what the command prints.
    return end(line + "\n");
  }

  /** Waits for the end of what was typed before: what it printed, and the status in a line. */
  public String prompt() throws Exception {
    return end("");
  }

  private String end(String typed) throws Exception {
    commands++;
    // What the terminal echoes is not what the shell makes of it.
    return type(typed + "echo en''d-" + commands + " status $?\n").await("\nend-" + commands)
        + await("\n");
  }

  /**
   * Waits until keys that send signals go to a program of which this is the begin of its name, and
   * not to the shell, which says what it puts into the foreground before it does so.
   */
  public void awaitForeground(String program) throws Exception {
    Run.await(
        program + " is in the foreground",
        () -> Files.readString(Path.of("/proc", foreground(), "comm")).startsWith(program));
  }

  /** The leader of the process group in the foreground. */
  private String foreground() throws IOException {
    String stat = Files.readString(Path.of("/proc", shell().pid() + "", "stat"));
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[5];
  }

  /** The first process at the terminal. */
  private ProcessHandle shell() {
    return process.children().findFirst().orElseThrow();
  }

  /** A process of a job. */
  public long pid(String program) throws Exception {
    Run.await(program + " runs", () -> processes(program).findFirst().isPresent());
    return processes(program).findFirst().orElseThrow().pid();
  }

  private Stream<ProcessHandle> processes(String program) {
    return process
        .descendants()
        .filter(process -> process.info().command().orElse("").endsWith("/" + program));
  }

  @Override
  public void close() {
    // The terminal hangs up: the shell and its jobs end.
    process.destroyForcibly().onExit().join();
  }
}
