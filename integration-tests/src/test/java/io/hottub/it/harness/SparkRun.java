// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import static java.util.stream.Collectors.toSet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.client.api.YarnClient;

/** A Spark application that was submitted. */
public final class SparkRun implements JobClient {
  /** On a busy machine, too. */
  public static final Duration LONGEST = Duration.ofMinutes(10);

  private static final Pattern UI = Pattern.compile("'SparkUI' on port (\\d+)");
  private static final Pattern LEASE =
      Pattern.compile("\"spark[.]hottub[.]jvm[.](\\S+)\", \"([^\"]*)\"");
  private static final Pattern APPLICATION = Pattern.compile("application_\\d+_\\d+");

  private final Process submit;
  private final Path log;

  public SparkRun(Process submit, Path log) {
    this.submit = submit;
    this.log = log;
  }

  /** What {@code spark-submit} wrote so far; in client mode the driver too. */
  @Override
  public String log() throws IOException {
    return Files.readString(log);
  }

  @Override
  public String id() throws IOException {
    String log = log();
    return applications(log).stream().findFirst().orElseThrow(() -> new AssertionError(log));
  }

  /** All applications that a text names. */
  public static Set<String> applications(String text) {
    return APPLICATION.matcher(text).results().map(MatchResult::group).collect(toSet());
  }

  /** How the application's web UI says that its JVMs were served; only in client mode. */
  public Map<String, String> leases() throws IOException {
    Map<String, String> leases = new TreeMap<>();
    if (UI.matcher(log()).find()) {
      Matcher entries = LEASE.matcher(page("/api/v1/applications/" + id() + "/environment"));
      while (entries.find()) {
        leases.put(entries.group(1), entries.group(2));
      }
    }
    return leases;
  }

  /** A page of the application's web UI; only in client mode. */
  public String page(String path) throws IOException {
    Matcher port = UI.matcher(log());
    if (!port.find()) {
      throw new IOException("there is no web UI yet");
    }
    return Servers.read("http://127.0.0.1:" + port.group(1) + path);
  }

  /**
   * What the driver wrote of executors that it lost, without what differs between any two
   * applications. Only in client mode.
   */
  public List<String> losses() throws IOException {
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
  public String report(YarnClient yarn) throws Exception {
    ApplicationId id = ApplicationId.fromString(id());
    Await.until(
        id + " has ended",
        LONGEST,
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

  /** Whether {@code spark-submit} still runs. */
  public boolean isAlive() {
    return submit.isAlive();
  }

  /** That of {@code spark-submit}; in client mode the driver's. */
  @Override
  public ProcessHandle process() {
    return submit.toHandle();
  }

  @Override
  public void kill() {
    submit.destroyForcibly();
  }

  /** Ends a server as an operator does, and returns its exit status. */
  public int terminate() throws IOException, InterruptedException {
    submit.destroy();
    return end();
  }

  @Override
  public int end() throws IOException, InterruptedException {
    if (!submit.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
      submit.destroyForcibly().waitFor();
      throw new AssertionError("no end within " + LONGEST + ":\n" + log());
    }
    return submit.exitValue();
  }
}
