// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Await;
import io.hottub.it.harness.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The program {@code inject}, which lets a process run up to one of its system calls. */
final class Injector {
  private static final Pattern RESULT = Pattern.compile("(\\d+) (done|missed)");
  private static final long LONGEST_SECONDS = 30;
  private static final int HOUR = 3_600;
  private static final int DAY = 24 * HOUR;

  private final Path program;
  private final Path folder;
  private int reports;

  /**
   * @param folder gets the program and its reports
   */
  Injector(Path folder) throws Exception {
    this.folder = folder;
    this.program = folder.resolve("inject");
    List<String> command =
        List.of(
            "cc",
            "-O1",
            "-D_GNU_SOURCE",
            "-o",
            program.toString(),
            Programs.program("inject.c").toString(),
            Programs.program("clock.c").toString());
    assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor(), "it compiles");
  }

  /** What a report says: system calls seen, and whether the action was taken. */
  record Result(int calls, boolean done) {}

  Path newReport() {
    reports++;
    return folder.resolve("report-" + reports);
  }

  /** The words in front of a program's own command. */
  List<String> prefix(Path report, int place, String action) {
    return List.of(program.toString(), report.toString(), Integer.toString(place), action, "--");
  }

  Result result(Path report) throws IOException {
    if (Files.notExists(report)) {
      return new Result(0, false); // the thread was ending
    }
    Matcher matcher = RESULT.matcher(Files.readString(report));
    return matcher.find()
        ? new Result(Integer.parseInt(matcher.group(1)), matcher.group(2).equals("done"))
        : new Result(0, false);
  }

  /** Follows a thread of a running process. */
  Following follow(long thread, int place, String action) throws Exception {
    Path report = newReport();
    Process process =
        new ProcessBuilder(
                program.toString(),
                report.toString(),
                Integer.toString(place),
                action,
                "-p",
                Long.toString(thread))
            .inheritIO()
            .start();
    Await.until(
        "it follows the thread, or cannot", () -> Files.exists(report) || !process.isAlive());
    return new Following(process, report);
  }

  /** The action that lets the wall clock of a process jump: by hours or days, ahead or back. */
  static String jump(int seconds) {
    return "clock:" + seconds;
  }

  /** Half of them are shorter than a day, half of them longer, up to a month. */
  static int someJump(Random random) {
    int seconds =
        random.nextBoolean() ? HOUR + random.nextInt(23 * HOUR) : DAY + random.nextInt(29 * DAY);
    return random.nextBoolean() ? seconds : -seconds;
  }

  /** Sets the wall clock of a running process to the true time and so many seconds. */
  void setClock(long pid, int seconds) throws Exception {
    Result result = follow(pid, 1, jump(seconds)).await();
    assertTrue(result.done() || ProcessHandle.of(pid).isEmpty(), "the clock of " + pid);
  }

  /** A thread that is followed. */
  final class Following {
    private final Process process;
    private final Path report;

    private Following(Process process, Path report) {
      this.process = process;
      this.report = report;
    }

    /** Stops following. */
    Result end() throws Exception {
      process.destroy();
      return await();
    }

    /** Waits until there is nothing more to do. */
    private Result await() throws Exception {
      if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      return result(report);
    }
  }
}
