// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.faults;

import io.hottub.it.harness.Await;
import io.hottub.it.harness.JobClient;
import io.hottub.it.harness.JobsOnYarn;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * A job that was submitted.
 *
 * @param folder of its own: where its tasks meet, and where its result goes
 */
record RealJob(RealJobs.Engine engine, JobClient client, Path folder) {
  private static final Duration LONGEST = Duration.ofMinutes(2);
  private static final int TASKS = 2;
  static final String NO_RESULT = "none";

  /** Waits until both tasks wait. */
  void awaitAtWork() throws Exception {
    Await.until(
        engine + "'s tasks are at work (" + folder + ")",
        LONGEST,
        () -> {
          if (!client.process().isAlive()) {
            throw new AssertionError("the job has ended before its tasks:\n" + client.log());
          }
          return waiting() >= TASKS;
        });
  }

  private long waiting() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.getFileName().toString().matches("(at|pid)-\\d+")).count();
    }
  }

  /** Lets the tasks go on, also those to come. */
  void letGo() throws IOException {
    try {
      Files.createFile(folder.resolve("go"));
    } catch (FileAlreadyExistsException e) {
      // They were let go before.
    }
  }

  /** All of its result, {@link #NO_RESULT} if it has committed none. */
  String result() throws IOException {
    Path result = folder.resolve("result");
    if (engine == RealJobs.Engine.SPARK) {
      return Files.exists(result) ? Files.readString(result) : NO_RESULT;
    }
    return Files.exists(result.resolve("_SUCCESS")) ? JobsOnYarn.lines(result) : NO_RESULT;
  }
}
