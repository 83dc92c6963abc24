// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.pool;

import io.hottub.protocol.Journal;
import io.hottub.protocol.JournalEntry;
import io.hottub.protocol.JvmState;
import io.hottub.protocol.KeeperConnection;
import io.hottub.protocol.PoolMarks;
import io.hottub.protocol.ProtocolException;
import io.hottub.yarn.log.Trouble;
import io.hottub.yarn.log.Troubles;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One look at the pool: count what its journal tells, measure it, retire what is over the limits,
 * and keep what is to stay.
 */
public final class PoolWatch implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(PoolWatch.class);

  private final PoolScanner scanner;
  private final PoolMarks marks;
  private final Journal journal;
  private final PoolPolicy policy;
  private final Supplier<PoolPolicy.Room> room;
  private final Duration keep;
  private final List<PoolObserver> observers;

  private final Trouble blind =
      new Trouble(
          LOG,
          "Cannot look at the pool; trying again at every turn",
          "The pool can be looked at again");

  private final Trouble unread =
      new Trouble(
          LOG,
          "Cannot read the journal of the pool; runs are not counted",
          "The journal of the pool can be read again");

  private final Trouble damaged =
      new Trouble(
          LOG,
          "Damaged lines in the journal of the pool are not counted; the first of them",
          "The journal of the pool has whole lines again");

  private final Troubles<Long> silent =
      new Troubles<>(
          keeper ->
              new Trouble(
                  LOG,
                  "Keeper " + keeper + " does not answer as it should",
                  "Keeper " + keeper + " answers again, or has ended"));

  private final Troubles<Long> staying =
      new Troubles<>(
          keeper ->
              new Trouble(
                  LOG,
                  "Cannot retire the JVM of keeper " + keeper + "; trying again at every turn",
                  "The JVM of keeper " + keeper + " is retired, or is to stay, or has ended"));

  /** Those that end after their lease: once is enough to tell them. */
  private Set<Long> told = new HashSet<>();

  /**
   * @param keep how long a JVM that is to stay lives on without another look
   * @param observers in the order in which they are told
   */
  public PoolWatch(
      PoolScanner scanner,
      PoolMarks marks,
      Journal journal,
      PoolPolicy policy,
      Supplier<PoolPolicy.Room> room,
      Duration keep,
      List<PoolObserver> observers) {
    this.scanner = scanner;
    this.marks = marks;
    this.journal = journal;
    this.policy = policy;
    this.room = room;
    this.keep = keep;
    this.observers = observers;
  }

  /** Never throws: a scheduler drops a task that does. */
  @Override
  public void run() {
    try {
      readJournal();
      PoolView view = scanner.scan();
      silent.are(view.unreachable());
      observers.forEach(observer -> observer.scanned(view));
      Map<PooledJvm, RetireReason> ending = drained(view);
      PoolView rest =
          new PoolView(
              view.jvms().stream().filter(jvm -> !ending.containsKey(jvm)).toList(),
              view.unreachable());
      PoolPolicy.Decision decision = policy.decide(rest, room.get());
      ending.putAll(decision.retire());
      retire(ending);
      decision.keep().forEach(this::keep);
      blind.isOver();
    } catch (IOException | RuntimeException | Error e) {
      blind.is(e);
      failed();
    }
  }

  /** A journal that cannot be read costs numbers, not the rest of the work. */
  private void readJournal() {
    List<String> lines = List.of();
    try {
      lines = journal.poll();
      unread.isOver();
    } catch (ProtocolException e) {
      unread.is(e.getMessage());
      failed();
    } catch (IOException e) {
      unread.is(e);
      failed();
    }
    boolean whole = !lines.isEmpty();
    for (String line : lines) {
      try {
        tell(JournalEntry.parse(line));
      } catch (ProtocolException e) {
        whole = false;
        if (damaged.isOn()) {
          LOG.debug("Another damaged line", e);
        } else {
          damaged.is(e.getMessage());
        }
        failed();
      }
    }
    if (whole) {
      damaged.isOver();
    }
  }

  private void tell(JournalEntry entry) {
    switch (entry.event()) {
      case "run" -> observers.forEach(observer -> observer.run(entry));
      case "reset" -> observers.forEach(observer -> observer.reset(entry));
      case "retired", "crash" -> observers.forEach(observer -> observer.ended(entry));
      default -> LOG.debug("Unknown event {}", entry.event());
    }
  }

  /**
   * No run will come to them: neither for the cluster's switch nor for the operator of the node.
   */
  private Map<PooledJvm, RetireReason> drained(PoolView view) {
    Map<PooledJvm, RetireReason> drained = new LinkedHashMap<>();
    boolean all = marks.isDrained();
    for (PooledJvm jvm : view.jvms()) {
      boolean ends = all || marks.isDrained(jvm.socket().fingerprintPrefix());
      if (ends && jvm.state().state() != JvmState.RETIRING) {
        drained.put(jvm, RetireReason.DRAINED);
      }
    }
    return drained;
  }

  private void retire(Map<PooledJvm, RetireReason> ending) {
    Set<Long> still = new HashSet<>();
    Map<Long, IOException> failures = new HashMap<>();
    ending.forEach(
        (jvm, reason) -> {
          long pid = jvm.socket().keeperPid();
          try {
            if (!told.contains(pid)) {
              retire(jvm, reason);
            }
            still.add(pid);
          } catch (IOException e) {
            failures.put(pid, e);
            failed();
          }
        });
    told = still;
    staying.are(failures);
  }

  /** Retires every JVM: the idle ones end now, the leased ones with their lease. */
  public void retireAll(RetireReason reason) throws IOException {
    for (PooledJvm jvm : scanner.scan().jvms()) {
      try {
        retire(jvm, reason);
      } catch (IOException e) {
        LOG.warn("Cannot retire the JVM of keeper {}", jvm.socket().keeperPid(), e);
        failed();
      }
    }
  }

  private void retire(PooledJvm jvm, RetireReason reason) throws IOException {
    long pid = jvm.socket().keeperPid();
    try (KeeperConnection connection = KeeperConnection.open(jvm.socket(), PoolScanner.TIMEOUT)) {
      connection.retire();
      observers.forEach(observer -> observer.retiring(pid, reason));
      LOG.info("Retired the pooled JVM {} ({})", jvm.state().jvmPid(), reason.label());
    }
  }

  private void failed() {
    observers.forEach(PoolObserver::failed);
  }

  private void keep(PooledJvm jvm) {
    try (KeeperConnection connection = KeeperConnection.open(jvm.socket(), PoolScanner.TIMEOUT)) {
      connection.keep(keep);
    } catch (IOException e) {
      LOG.debug("Cannot keep the JVM of keeper {}", jvm.socket().keeperPid(), e);
    }
  }
}
