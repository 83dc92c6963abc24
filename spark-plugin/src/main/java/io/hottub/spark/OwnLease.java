// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.spark;

import io.hottub.protocol.Journal;
import io.hottub.protocol.JournalEntry;
import io.hottub.protocol.PoolDirectory;
import io.hottub.protocol.ProtocolException;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * How a process was served. The journal of the pool knows; the JVM itself does not, since to a
 * program it is a JVM like any other.
 */
final class OwnLease {
  private final PoolDirectory pool;
  private final long pid;
  private final long startedMs;

  /**
   * @param pid of the process, which is the client in the journal
   * @param startedMs since when it is this process; older records are not its own
   */
  OwnLease(PoolDirectory pool, long pid, long startedMs) {
    this.pool = pool;
    this.pid = pid;
    this.startedMs = startedMs;
  }

  /** Empty as long as there is no record. */
  Optional<Served> describe() throws IOException {
    List<String> journal = Journal.history(pool);
    JournalEntry own = null;
    for (String line : journal) {
      // Only few of the lines are worth to be parsed.
      if (line.contains("\"event\":\"run\"") && line.contains(Long.toString(pid))) {
        Optional<JournalEntry> entry = parse(line).filter(this::isOwn);
        own = entry.orElse(own);
      }
    }
    return Optional.ofNullable(own).map(entry -> describe(entry, journal));
  }

  private static Optional<JournalEntry> parse(String line) {
    try {
      return Optional.of(JournalEntry.parse(line));
    } catch (ProtocolException e) {
      return Optional.empty(); // the pool service counts them
    }
  }

  private boolean isOwn(JournalEntry entry) {
    Long process = entry.number("client_pid");
    Long at = entry.number("at_ms");
    // A second less: the kernel rounds the times of processes.
    return Objects.equals(process, pid) && at != null && at >= startedMs - 1000;
  }

  private static boolean isPooled(JournalEntry run) {
    return Objects.equals(run.text("served"), "pool");
  }

  private Served describe(JournalEntry run, List<String> journal) {
    if (!isPooled(run)) {
      return Served.cold(String.valueOf(run.text("reason")));
    }
    boolean warm = run.isWarm();
    String text =
        run.isolation() != null && run.isolation().isCopy()
            ? "warm, clone %d".formatted(run.number("jvm_pid"))
            : "%s, lease %d of JVM %d"
                .formatted(
                    warm ? "warm" : "newly started", run.number("run"), run.number("jvm_pid"));
    Long handOverUs = run.number("lease_us");
    if (handOverUs != null) {
      text += String.format(Locale.ROOT, ", handed over in %.1f ms", handOverUs / 1e3);
    }
    Optional<Double> saved = warm ? new SavedCpu(run).seconds(journal) : Optional.empty();
    text += saved.map(s -> String.format(Locale.ROOT, SavedCpu.TEXT, s)).orElse("");
    return warm ? Served.byPool(text) : Served.byNewJvm(text);
  }
}
