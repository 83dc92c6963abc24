// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.web;

import io.hottub.protocol.JournalEntry;
import io.hottub.yarn.pool.PoolObserver;
import io.hottub.yarn.pool.PoolView;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** The newest runs of a pool, from the journal: when each began, and when its lease ended. */
final class LeaseHistory implements PoolObserver {
  private static final int MAX_RUNS = 500;

  private final List<Lease> leases = new ArrayList<>();

  /**
   * A run.
   *
   * @param beginMs milliseconds since 1970
   * @param endMs the same; null while it goes on, and of cold runs, whose end nobody writes down
   * @param jvmPid null: it was cold
   * @param isClone whether it was served by a copy of a JVM, which ends with it
   * @param reason why it was cold, or null
   */
  record Lease(
      long beginMs,
      Long endMs,
      Long jvmPid,
      boolean isClone,
      boolean warm,
      String reason,
      String fingerprint,
      Long run,
      String mainClass,
      String container) {

    boolean isCold() {
      return jvmPid == null;
    }

    private boolean goesOn() {
      return !isCold() && endMs == null;
    }

    /** The end of a lease names the keeper, its begin the JVM: the rest has to tell. */
    private boolean isEndedBy(JournalEntry end) {
      return goesOn()
          && Objects.equals(fingerprint, end.text("fingerprint"))
          && Objects.equals(run, end.number("run"))
          && Objects.equals(mainClass, end.text("main_class"))
          && Objects.equals(container, end.text("container_id"));
    }

    private Lease until(long ms) {
      long end = Math.max(beginMs, ms);
      return new Lease(
          beginMs, end, jvmPid, isClone, warm, reason, fingerprint, run, mainClass, container);
    }
  }

  @Override
  public synchronized void run(JournalEntry entry) {
    Long at = entry.number("at_ms");
    if (at == null) {
      return;
    }
    boolean pooled = Objects.equals(entry.text("served"), "pool");
    leases.add(
        new Lease(
            at,
            null,
            pooled ? entry.number("jvm_pid") : null,
            entry.isolation() != null && entry.isolation().isCopy(),
            pooled && entry.isWarm(),
            entry.text("reason"),
            entry.text("fingerprint"),
            entry.number("run"),
            entry.text("main_class"),
            entry.text("container_id")));
    if (leases.size() > MAX_RUNS) {
      leases.remove(0);
    }
  }

  /** The line is written when the JVM is clean again; the lease ended before the reset. */
  @Override
  public synchronized void reset(JournalEntry entry) {
    Long resetUs = entry.number("reset_us");
    end(entry, resetUs == null ? 0 : resetUs / 1000);
  }

  @Override
  public synchronized void ended(JournalEntry entry) {
    end(entry, 0);
  }

  private void end(JournalEntry entry, long beforeMs) {
    Long at = entry.number("at_ms");
    if (at != null) {
      leases.stream()
          .filter(lease -> lease.isEndedBy(entry))
          .findFirst()
          .ifPresent(lease -> replace(lease, lease.until(at - beforeMs)));
    }
  }

  /** Keepers that were killed do not write. */
  @Override
  public synchronized void scanned(PoolView view) {
    Set<Long> living =
        view.jvms().stream().map(jvm -> jvm.state().jvmPid()).collect(Collectors.toSet());
    if (view.unreachable().isEmpty()) {
      long now = System.currentTimeMillis();
      leases.stream()
          .filter(lease -> lease.goesOn() && !living.contains(lease.jvmPid()))
          .toList()
          .forEach(lease -> replace(lease, lease.until(now)));
    }
  }

  private void replace(Lease before, Lease after) {
    leases.set(leases.indexOf(before), after);
  }

  /** In the order in which they began. */
  synchronized List<Lease> newest() {
    return List.copyOf(leases);
  }
}
