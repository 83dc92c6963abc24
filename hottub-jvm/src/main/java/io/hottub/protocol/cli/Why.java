// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.cli;

import io.hottub.protocol.Journal;
import io.hottub.protocol.JournalEntry;
import io.hottub.protocol.PoolDirectory;
import io.hottub.protocol.ProtocolException;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Tells from the journal what became of a run. */
final class Why {
  /** What the reasons of clients mean where the word alone does not say it. */
  private static final Map<String, String> MEANINGS =
      Map.ofEntries(
          Map.entry("pool-full", "max-jvms or max-jvms-per-fingerprint is reached, all are busy"),
          Map.entry("circuit-open", "JVMs of this fingerprint crashed too often; see crashes"),
          Map.entry("drained", "somebody ran: hottub drain, or hottub cluster off or drain"),
          Map.entry("disabled", "max-jvms is 0"),
          Map.entry("agent", "the command line asks for an agent or for debugging"),
          Map.entry("log", "the command line asks for a log of the VM itself"),
          Map.entry("prints", "the command line asks the VM to print something"),
          Map.entry("unknown-option", "the command line has an option that HotTub does not know"),
          Map.entry("jvm-busy", "every JVM that was asked was leased a moment before"),
          Map.entry("jvm-fallback", "the JVM could not begin the run; see the keeper's log"),
          Map.entry("start-lock", "too many clients were starting JVMs at once"),
          Map.entry(
              "cgroup-limits", "the NodeManager may not move a JVM to the container's cgroup"),
          Map.entry("ld-library-path", "LD_LIBRARY_PATH leads to another VM"),
          Map.entry("launcher-variable", "a variable asks the java launcher for something special"),
          Map.entry("jar-manifest", "the jar's manifest asks for an agent, exports or a splash"),
          Map.entry("manifest-class-path", "a Class-Path in a jar's manifest cannot be followed"),
          Map.entry("class-directory-too-large", "a folder of the class path has too many files"),
          Map.entry("stdio-closed", "the run inherits no standard input, output or error"),
          Map.entry("set-uid", "real and effective user or group differ"),
          Map.entry("keeper-gone", "the keeper ended before the run began; see its log"),
          Map.entry("deadline", "no answer in time; see the keeper's log"),
          Map.entry("pool-directory-unsafe", "a folder of the pool belongs to someone else"),
          Map.entry("descriptor-conflict", "the run inherits a descriptor with a reserved number"));

  private final PoolDirectory pool;
  private final PrintStream out;
  private final PrintStream err;

  Why(PoolDirectory pool, PrintStream out, PrintStream err) {
    this.pool = pool;
    this.out = out;
    this.err = err;
  }

  /** Returns whether every name was found. */
  boolean tell(List<String> names) throws IOException {
    List<String> lines = Journal.history(pool);
    boolean allFound = true;
    for (String name : names) {
      boolean found = false;
      for (String line : lines) {
        found |= tell(name, line);
      }
      if (!found) {
        err.println("hottub: the journal in " + pool.userFolder() + " knows nothing of " + name);
        allFound = false;
      }
    }
    return allFound;
  }

  private boolean tell(String name, String line) {
    JournalEntry entry;
    try {
      entry = JournalEntry.parse(line);
    } catch (ProtocolException e) {
      return false;
    }
    if (!concerns(entry, name)) {
      return false;
    }
    Long at = entry.number("at_ms");
    out.println((at == null ? "-" : Instant.ofEpochMilli(at)) + " " + PoolTable.line(story(entry)));
    return true;
  }

  private static boolean concerns(JournalEntry entry, String name) {
    return name.equals(entry.text("container_id"))
        || name.equals(String.valueOf(entry.number("client_pid")))
        || name.equals(String.valueOf(entry.number("jvm_pid")))
        || name.equals(String.valueOf(entry.number("keeper_pid")));
  }

  private static String story(JournalEntry entry) {
    return switch (entry.event()) {
      case "run" -> run(entry);
      case "reset" ->
          "run %s of keeper %s is over: %s of CPU time, reset in %s%s"
              .formatted(
                  entry.number("run"),
                  entry.number("keeper_pid"),
                  millis(entry.number("cpu_us")),
                  millis(entry.number("reset_us")),
                  entry.number("revoked_signal") == null
                      ? ""
                      : ", ended by force with signal " + entry.number("revoked_signal"));
      case "retired" ->
          "the JVM of keeper %s retired after %s runs: %s%s"
              .formatted(
                  entry.number("keeper_pid"),
                  entry.number("run"),
                  entry.text("reason"),
                  entry.text("doubt") == null ? "" : ": " + entry.text("doubt").strip());
      case "crash" ->
          "the JVM of keeper %s crashed in or after run %s: %s, signal %s"
              .formatted(
                  entry.number("keeper_pid"),
                  entry.number("run"),
                  entry.text("reason"),
                  entry.number("signal"));
      default -> entry.event();
    };
  }

  private static String run(JournalEntry entry) {
    String main = Objects.requireNonNullElse(entry.text("main_class"), "-");
    if (Objects.equals(entry.text("served"), "pool")) {
      return "%s, client %s: run %s of JVM %s, entered after %s, fingerprint %s"
          .formatted(
              main,
              entry.number("client_pid"),
              entry.number("run"),
              entry.number("jvm_pid"),
              millis(entry.number("lease_us")),
              entry.text("fingerprint"));
    }
    String reason = String.valueOf(entry.text("reason"));
    String meaning = MEANINGS.get(reason);
    return "%s, client %s: cold, %s%s"
        .formatted(
            main, entry.number("client_pid"), reason, meaning == null ? "" : " (" + meaning + ")");
  }

  private static String millis(Long micros) {
    return micros == null ? "unknown time" : "%.1f ms".formatted(micros / 1000.0);
  }
}
