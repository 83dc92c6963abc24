// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.cli;

import io.hottub.protocol.Journal;
import io.hottub.protocol.JournalEntry;
import io.hottub.protocol.PoolDirectory;
import io.hottub.protocol.ProtocolException;
import io.hottub.protocol.Reasons;
import io.hottub.protocol.Reasons.Kind;
import io.hottub.protocol.Reasons.Reason;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** Tells from the journal what became of a run. */
final class Why {
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
          "the JVM of keeper %s retired after %s runs: %s"
              .formatted(entry.number("keeper_pid"), entry.number("run"), end(entry));
      case "crash" ->
          "the JVM of keeper %s crashed in or after run %s: %s, signal %s"
              .formatted(
                  entry.number("keeper_pid"),
                  entry.number("run"),
                  end(entry),
                  entry.number("signal"));
      default -> entry.event();
    };
  }

  private static String run(JournalEntry entry) {
    String main = Objects.requireNonNullElse(entry.text("main_class"), "-");
    if (Objects.equals(entry.text("served"), "pool")) {
      return "%s, client %s: run %s of JVM %s%s, entered after %s, fingerprint %s"
          .formatted(
              main,
              entry.number("client_pid"),
              entry.number("run"),
              entry.number("jvm_pid"),
              kind(entry),
              millis(entry.number("lease_us")),
              entry.text("fingerprint"));
    }
    String reason = String.valueOf(entry.text("reason"));
    return "%s, client %s: cold, %s%s"
        .formatted(
            main, entry.number("client_pid"), reason, explained(Reasons.of(Kind.COLD, reason)));
  }

  /** How its JVM came to the run; lines of older versions do not tell. */
  private static String kind(JournalEntry entry) {
    if (entry.isolation() == null) {
      return "";
    }
    return " (%s, %s)".formatted(entry.isolation().word(), entry.isWarm() ? "warm" : "not warm");
  }

  /** Why a JVM has ended. What it doubted says more than that it did. */
  private static String end(JournalEntry entry) {
    String reason = String.valueOf(entry.text("reason"));
    String doubt = entry.text("doubt");
    if (doubt == null) {
      return reason + explained(Reasons.of(Kind.RETIRED, reason));
    }
    List<Reason> doubts = Reasons.doubts(doubt);
    return reason
        + ": "
        + doubt.strip()
        + (doubts.isEmpty() ? explained(Reasons.of(Kind.RETIRED, reason)) : explained(doubts));
  }

  private static String explained(Optional<Reason> reason) {
    return explained(reason.stream().toList());
  }

  private static String explained(List<Reason> reasons) {
    return reasons.isEmpty()
        ? ""
        : reasons.stream().map(Reason::explained).collect(Collectors.joining(". ", " (", ")"));
  }

  private static String millis(Long micros) {
    return micros == null ? "unknown time" : "%.1f ms".formatted(micros / 1000.0);
  }
}
