// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.spark;

import io.hottub.protocol.Journal;
import io.hottub.protocol.JournalEntry;
import io.hottub.protocol.PoolDirectory;
import io.hottub.protocol.ProtocolException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * How the process that a program runs in was served, in words for a person. The journal of the pool
 * knows; the JVM itself does not, since to a program it is a JVM like any other.
 */
final class OwnLease {
  private static final String UNKNOWN = "no record in a pool";

  /** The client writes down what it was granted when the run already begins. */
  private static final int TRIES = 25;

  private static final long WAIT_MS = 200;

  private final PoolDirectory pool;
  private final long pid;
  private final long startedMs;

  /**
   * @param pid what the kernel calls the process
   * @param startedMs since when it is this process, or this run; older records are not its own
   */
  OwnLease(PoolDirectory pool, long pid, long startedMs) {
    this.pool = pool;
    this.pid = pid;
    this.startedMs = startedMs;
  }

  /** That of this process. */
  static OwnLease ofThisProcess() throws IOException {
    // Not ProcessHandle.pid(): the run sees the process that its caller has started.
    String pid = Path.of("/proc/self").toRealPath().getFileName().toString();
    long started =
        ProcessHandle.current().info().startInstant().map(i -> i.toEpochMilli()).orElse(0L);
    return new OwnLease(PoolDirectory.resolve(System.getenv()), Long.parseLong(pid), started);
  }

  /** Waits some seconds for the record to be written, if need be. */
  String await() throws IOException, InterruptedException {
    Optional<String> described = describe();
    for (int i = 1; i < TRIES && described.isEmpty(); i++) {
      Thread.sleep(WAIT_MS);
      described = describe();
    }
    return described.orElse(UNKNOWN);
  }

  /** Empty as long as there is no record. */
  Optional<String> describe() throws IOException {
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
    Long process = entry.number(isPooled(entry) ? "jvm_pid" : "client_pid");
    Long at = entry.number("at_ms");
    // A second less: the kernel rounds the times of processes.
    return Objects.equals(process, pid) && at != null && at >= startedMs - 1000;
  }

  private static boolean isPooled(JournalEntry run) {
    return Objects.equals(run.text("served"), "pool");
  }

  private String describe(JournalEntry run, List<String> journal) {
    if (!isPooled(run)) {
      return "cold: " + run.text("reason");
    }
    Long number = run.number("run");
    boolean warm = number != null && number > 1;
    String text = "%s, lease %d of JVM %d".formatted(warm ? "warm" : "newly started", number, pid);
    Long handOverUs = run.number("lease_us");
    if (handOverUs != null) {
      text += String.format(Locale.ROOT, ", handed over in %.1f ms", handOverUs / 1e3);
    }
    Optional<Double> saved = warm ? new SavedCpu(run).seconds(journal) : Optional.empty();
    return text + saved.map(s -> String.format(Locale.ROOT, SavedCpu.TEXT, s)).orElse("");
  }
}
