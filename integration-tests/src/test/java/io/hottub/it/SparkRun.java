// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.client.api.YarnClient;

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

  /**
   * What the driver wrote of executors that it lost, without what differs between any two
   * applications. Only in client mode.
   */
  List<String> losses() throws IOException {
    return log()
        .lines()
        .filter(line -> line.contains("Lost executor") || line.contains("Lost task"))
        .map(SparkRun::normalised)
        .sorted()
        .toList();
  }

  private static String normalised(String text) {
    return text.replaceAll("^\\S+ \\S+ ", "")
        .replaceAll("\\[\\d{4}-[^\\]]*]", "[time]")
        .replaceAll("(container|application|appattempt)(_\\d+)+", "$1")
        .replaceAll("executor \\d+", "executor N")
        .replaceAll("task \\d+[.]", "task N.")
        .replaceAll("TID \\d+", "TID N");
  }

  /** What YARN says of the application's end. */
  String report(YarnClient yarn) throws Exception {
    ApplicationId id = ApplicationId.fromString(id());
    Await.until(
        id + " has ended",
        () ->
            yarn.getApplicationReport(id).getFinalApplicationStatus()
                != FinalApplicationStatus.UNDEFINED);
    ApplicationReport report = yarn.getApplicationReport(id);
    return report.getYarnApplicationState()
        + ", "
        + report.getFinalApplicationStatus()
        + ": "
        + normalised(report.getDiagnostics());
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
