// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.recipes;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Lets a lease run at the lowest priority. Not so the client, because the nice value that it begins
 * with is part of the fingerprint; the JVM gets its own one back by the reset. Where a process may
 * not take back what it has given up, which is so for most users, the JVM would be lost: there
 * leases keep their priority. The kernel derives the priority of input and output from the nice
 * value.
 */
final class LowPriority {
  /** Absolute, as util-linux has it. */
  private static final String RENICE = "renice -n 19 -p ";

  private static final long LONGEST_SECONDS = 5;

  private final boolean reversible;

  LowPriority() throws IOException, InterruptedException {
    reversible = shell("before=$(nice) && " + RENICE + "$$ && renice -n \"$before\" -p $$");
  }

  /** Whether this process may raise a priority that it has lowered. */
  boolean isReversible() {
    return reversible;
  }

  /** Lowers all threads of a process; those to come take it over from the ones that start them. */
  void lower(long pid) throws IOException, InterruptedException {
    if (!reversible) {
      return;
    }
    String main = Long.toString(pid);
    List<String> threads = new ArrayList<>();
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc", main, "task"))) {
      tasks.forEach(task -> threads.add(task.getFileName().toString()));
    } catch (NoSuchFileException e) {
      return; // it has ended
    }
    // The main thread last: where the lease ends in between, it tells the next one, or the reset,
    // that something is to be put right.
    threads.remove(main);
    threads.add(main);
    // A thread that has ended in between is no failure.
    var unused = shell(RENICE + String.join(" ", threads));
  }

  private static boolean shell(String script) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("sh", "-c", script)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      return false;
    }
    return process.exitValue() == 0;
  }
}
