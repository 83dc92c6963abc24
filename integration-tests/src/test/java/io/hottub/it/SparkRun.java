// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Spark application that was submitted. */
final class SparkRun {
  private static final long LONGEST_SECONDS = 180;
  private static final Pattern APPLICATION = Pattern.compile("application_\\d+_\\d+");

  private final Process submit;
  private final Path log;

  SparkRun(Process submit, Path log) {
    this.submit = submit;
    this.log = log;
  }

  /** What {@code spark-submit} wrote so far; in client mode the driver too. */
  String log() throws IOException {
    return Files.readString(log);
  }

  /** YARN's name of the application. */
  String id() throws IOException {
    Matcher matcher = APPLICATION.matcher(log());
    assertTrue(matcher.find(), log());
    return matcher.group();
  }

  /** Ends {@code spark-submit} as SIGKILL does. */
  void kill() {
    submit.destroyForcibly();
  }

  /** Waits for the end of {@code spark-submit}, and returns its exit status. */
  int end() throws IOException, InterruptedException {
    if (!submit.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
      submit.destroyForcibly().waitFor();
      throw new AssertionError("no end within " + LONGEST_SECONDS + " s:\n" + log());
    }
    return submit.exitValue();
  }
}
