// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** A run that was started, of the client or of the stock launcher. */
public final class Run {
  /** On a busy machine, too. */
  private static final long LONGEST_SECONDS = 300;

  private static final long POLL_MS = 5;

  private final Process process;
  private final Path out;
  private final Path err;

  public Run(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** What it has written to standard output so far. */
  public String out() throws IOException {
    return Files.readString(out, StandardCharsets.ISO_8859_1);
  }

  /** Waits until it has written a text to standard output. */
  public Run awaitOut(String text) throws Exception {
    await("the run wrote: " + text, () -> out().contains(text));
    return this;
  }

  /** Sends it a signal. */
  public void signal(String name) throws Exception {
    signal(name, pid());
  }

  public static void signal(String name, long pid) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start();
    assertEquals(0, kill.waitFor(), "kill -" + name + " " + pid);
  }

  /** Of the thread whose folder in /proc this is: R if it runs, S if it waits, and so on. */
  public static char state(Path thread) throws IOException {
    // The name before it is in brackets, and may have some itself.
    String stat = Files.readString(thread.resolve("stat"));
    return stat.charAt(stat.lastIndexOf(')') + 2);
  }

  /** Also if nobody has reaped it yet: an orphan waits for the machine's first process. */
  public static boolean hasEnded(long pid) {
    try {
      return Files.readString(Path.of("/proc/" + pid + "/status")).contains("\tZ (zombie)");
    } catch (IOException e) {
      return true;
    }
  }

  /**
   * Waits for its end. HotSpot with its assertions says in some texts that it is such a build; they
   * are returned as our release would have written them.
   */
  public Outcome await() throws Exception {
    if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      throw new AssertionError("no end within " + LONGEST_SECONDS + " s; it wrote:\n" + out());
    }
    String errors = Files.readString(err, StandardCharsets.ISO_8859_1);
    return new Outcome(process.exitValue(), out(), errors).normalised(Run::asOfRelease);
  }

  /** What HotSpot with its assertions writes, as our release would; other texts stay. */
  public static String asOfRelease(String text) {
    if (!text.contains("fastdebug") || !Home.IS_DEBUG) {
      return text;
    }
    return text.replace("(fastdebug build ", "(build ")
        .replace("VM (fastdebug ", "VM (")
        .replace("(fastdebug)", "(release)")
        .replaceAll("(jdk\\.debug(=|: ))fastdebug", "$1release");
  }

  /**
   * Polls closely until a condition holds; one that throws does not hold yet, as files of a process
   * that ends may go while they are read.
   */
  public static void await(String what, Callable<Boolean> condition) throws InterruptedException {
    Await.until(what, Duration.ofSeconds(LONGEST_SECONDS), POLL_MS, condition);
  }
}
