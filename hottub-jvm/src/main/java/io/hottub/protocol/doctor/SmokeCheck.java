// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.doctor;

import io.hottub.protocol.ClientVariables;
import io.hottub.protocol.Isolation;
import io.hottub.protocol.KeeperConnection;
import io.hottub.protocol.KeeperSocket;
import io.hottub.protocol.PoolDirectory;
import io.hottub.protocol.Reasons;
import io.hottub.protocol.Reasons.Kind;
import io.hottub.protocol.Reasons.Reason;
import io.hottub.protocol.RunTrace;
import io.hottub.protocol.SmallFile;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Whether a small program gets a warm JVM: run a few times, by the client of the home. */
final class SmokeCheck implements Check {
  /** The first one starts a JVM; the next ones may come before that has been reset. */
  private static final int RUNS = 5;

  private static final long RUN_SECONDS = 60;
  private static final long RESET_MS = 200;
  private static final Duration ANSWER = Duration.ofSeconds(2);

  private final Path home;
  private final Map<String, String> environment;

  SmokeCheck(Path home, Map<String, String> environment) {
    this.home = home;
    this.environment = environment;
  }

  @Override
  public String name() {
    return "smoke-run";
  }

  @Override
  public String right() {
    return "A small program that is run a few times by bin/java of the home is served by a warm JVM,"
        + " which is ended after it";
  }

  @Override
  public Finding look() throws IOException {
    if (PoolDirectory.resolve(environment).lacksRootOfAll()) {
      return Finding.notApplicable("not run, because it would make the root of the pool");
    }
    Path folder = Files.createTempDirectory("hottub-doctor");
    Path out = folder.resolve("out");
    Path trace = folder.resolve("trace");
    try {
      for (int run = 1; ; run++) {
        int status = run(out, trace);
        String written = SmallFile.read(out).strip();
        if (status != 0 || !written.equals(Hello.TEXT)) {
          return Finding.failed(
              "%s ended with status %d and wrote: %s"
                  .formatted(
                      home.resolve("bin/java"),
                      status,
                      written.lines().findFirst().orElse("nothing")),
              "try HOTTUB=off " + home.resolve("bin/java") + " -version; install HotTub anew");
        }
        Finding finding = told(trace, run);
        if (finding.result() == Finding.Result.OK || run == RUNS) {
          return finding;
        }
        sleep();
      }
    } finally {
      retire(trace);
      for (Path file : List.of(out, trace, folder)) {
        Files.deleteIfExists(file);
      }
    }
  }

  private int run(Path out, Path trace) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            home.resolve("bin/java").toString(), "-Xmx32m", "-cp", jar(), Hello.class.getName());
    Map<String, String> variables = builder.environment();
    variables.clear();
    variables.putAll(environment);
    // The command itself is cold, and strict isolation asks for recipes first.
    variables.remove(ClientVariables.MODE);
    variables.put(ClientVariables.ISOLATION, Isolation.REUSE.word());
    variables.put(ClientVariables.TRACE, trace.toString());
    builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    builder.redirectErrorStream(true).redirectOutput(out.toFile());
    Process process = builder.start();
    try {
      if (!process.waitFor(RUN_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("a run has not ended within " + RUN_SECONDS + " s");
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }

  /** The jar, or folder of classes, that this is in. */
  private static String jar() throws IOException {
    try {
      return Path.of(Hello.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          .toString();
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }

  private Finding told(Path trace, int run) throws IOException {
    Optional<RunTrace> last = last(trace);
    if (last.isEmpty()) {
      return Finding.failed(
          home.resolve("bin/java") + " is no client of HotTub",
          "let the setting home name a HotTub home");
    }
    if (!last.get().pooled()) {
      String word = String.valueOf(last.get().reason());
      Optional<Reason> reason = Reasons.of(Kind.COLD, word);
      return Finding.failed(
          "the run was cold: "
              + word
              + reason.map(known -> " (" + known.meaning() + ")").orElse(""),
          reason.map(Reason::advice).orElse("see docs/reasons.md"));
    }
    return last.get().warm()
        ? Finding.ok("run " + run + " was served by the warm JVM " + last.get().jvmPid())
        : Finding.warning(
            "no run was warm, each started a JVM",
            "hottub why " + last.get().jvmPid() + " tells how it ended");
  }

  private static Optional<RunTrace> last(Path trace) throws IOException {
    if (!Files.exists(trace)) {
      return Optional.empty();
    }
    List<String> lines = SmallFile.read(trace).lines().toList();
    return lines.isEmpty()
        ? Optional.empty()
        : Optional.of(RunTrace.parse(lines.get(lines.size() - 1)));
  }

  private static void sleep() throws IOException {
    try {
      Thread.sleep(RESET_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Ends the JVMs that were started for it. Nobody else has this fingerprint. */
  private void retire(Path trace) throws IOException {
    String fingerprint = last(trace).map(RunTrace::fingerprint).orElse(null);
    if (fingerprint == null) {
      return;
    }
    for (KeeperSocket socket : PoolDirectory.resolve(environment).sockets()) {
      if (fingerprint.startsWith(socket.fingerprintPrefix())) {
        try (KeeperConnection connection = KeeperConnection.open(socket, ANSWER)) {
          connection.retire();
        } catch (ConnectException | NoSuchFileException e) {
          // It has ended by itself.
        }
      }
    }
  }
}
