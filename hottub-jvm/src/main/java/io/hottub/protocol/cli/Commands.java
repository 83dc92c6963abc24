// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.cli;

import io.hottub.protocol.JvmState;
import io.hottub.protocol.KeeperConnection;
import io.hottub.protocol.KeeperSocket;
import io.hottub.protocol.KeeperState;
import io.hottub.protocol.PoolDirectory;
import io.hottub.protocol.PoolMarks;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What the subcommands do. Each returns whether all of it worked; what did not is on stderr. */
final class Commands {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  /** An audit walks all loaded classes: longer than other answers, still bounded. */
  private static final Duration AUDIT_TIMEOUT = Duration.ofSeconds(30);

  /** Longer than the 2 s that a keeper gives a lease, and what follows where it does not end. */
  private static final Duration REVOKE_TIMEOUT = Duration.ofSeconds(5);

  private static final int SIGKILL = 9;
  private static final Duration TOP_INTERVAL = Duration.ofSeconds(2);

  /** Cursor to the corner, and everything after it erased. */
  private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";

  private final PoolDirectory pool;
  private final PrintStream out;
  private final PrintStream err;
  private boolean allWell = true;

  Commands(PoolDirectory pool, PrintStream out, PrintStream err) {
    this.pool = pool;
    this.out = out;
    this.err = err;
  }

  /** A keeper that answered. */
  private record Keeper(KeeperSocket socket, KeeperState state) {}

  /** Something to do with one keeper. */
  private interface Action {
    void on(KeeperConnection connection) throws IOException;
  }

  boolean ps() throws IOException {
    List<KeeperState> states = keepers().stream().map(Keeper::state).toList();
    if (!Files.isDirectory(pool.userFolder())) {
      out.println("There is no pool yet: the first pooled run makes it, in " + pool.userFolder());
      return allWell;
    }
    new PoolTable(states, System.currentTimeMillis()).print(out);
    sayWhatIsDrained("");
    return allWell;
  }

  /** Shows the pool again and again, until the process is interrupted or its output is closed. */
  boolean top() throws IOException {
    while (!out.checkError()) {
      out.print(CLEAR_SCREEN);
      ps();
      try {
        Thread.sleep(TOP_INTERVAL.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return allWell;
      }
    }
    return allWell;
  }

  /** Closes the pool, or some of its fingerprints, and ends the JVMs that are concerned. */
  boolean drain(List<String> fingerprints) throws IOException {
    PoolMarks marks = new PoolMarks(pool);
    if (fingerprints.isEmpty()) {
      pool.create();
      marks.drain();
      return retire(List.of("--all"));
    }
    for (String fingerprint : complete(fingerprints)) {
      pool.create();
      marks.drain(fingerprint);
      for (KeeperSocket socket : pool.sockets()) {
        if (socket.fingerprintPrefix().equals(fingerprint)) {
          tryOn(socket, TIMEOUT, KeeperConnection::retire);
        }
      }
    }
    return allWell;
  }

  /** What clients find closed, also where there is no JVM. */
  private void sayWhatIsDrained(String still) throws IOException {
    PoolMarks marks = new PoolMarks(pool);
    if (marks.isDrained()) {
      out.println(still + "drained: everything");
    }
    for (String fingerprint : pool.fingerprints().stream().sorted().toList()) {
      if (marks.isDrained(fingerprint)) {
        out.println(still + "drained: " + fingerprint);
      }
    }
  }

  boolean undrain(List<String> fingerprints) throws IOException {
    PoolMarks marks = new PoolMarks(pool);
    if (fingerprints.isEmpty()) {
      marks.undrain();
    }
    for (String fingerprint : complete(fingerprints)) {
      marks.undrain(fingerprint);
    }
    sayWhatIsDrained("still ");
    return allWell;
  }

  /**
   * Finds what the pool knows by the beginnings that were given; an unknown whole one is as good.
   */
  private List<String> complete(List<String> beginnings) throws IOException {
    List<String> known = pool.fingerprints();
    List<String> complete = new ArrayList<>();
    for (String beginning : beginnings) {
      List<String> found = known.stream().filter(name -> name.startsWith(beginning)).toList();
      if (found.size() == 1) {
        complete.add(found.get(0));
      } else if (found.isEmpty() && PoolDirectory.isFingerprint(beginning)) {
        complete.add(beginning);
      } else {
        fail(found.size() + " fingerprints begin with " + beginning);
      }
    }
    return complete;
  }

  boolean stats() throws IOException {
    Map<JvmState, Integer> counts = new EnumMap<>(JvmState.class);
    for (JvmState state : JvmState.values()) {
      counts.put(state, 0);
    }
    List<Keeper> keepers = keepers();
    long rssKb = 0;
    for (Keeper keeper : keepers) {
      counts.merge(keeper.state().state(), 1, Integer::sum);
      rssKb += keeper.state().heldKb() == null ? 0 : keeper.state().heldKb();
    }
    String byState =
        counts.entrySet().stream()
            .map(entry -> "\"" + entry.getKey() + "\":" + entry.getValue())
            .collect(Collectors.joining(","));
    String jvms = keepers.stream().map(k -> k.state().json()).collect(Collectors.joining(","));
    out.println(
        "{\"version\":1,\"by_state\":{"
            + byState
            + "},\"rss_kb\":"
            + rssKb
            + ",\"drained\":"
            + new PoolMarks(pool).isDrained()
            + ",\"jvms\":["
            + jvms
            + "]}");
    return allWell;
  }

  boolean audit(List<String> pids) throws IOException {
    return forEach(pids, AUDIT_TIMEOUT, connection -> out.println(connection.audit()));
  }

  boolean retire(List<String> pids) throws IOException {
    if (!pids.equals(List.of("--all"))) {
      return forEach(pids, TIMEOUT, KeeperConnection::retire);
    }
    for (KeeperSocket socket : pool.sockets()) {
      tryOn(socket, TIMEOUT, KeeperConnection::retire);
    }
    return allWell;
  }

  boolean revoke(List<String> pids) throws IOException {
    return forEach(pids, TIMEOUT, connection -> connection.revoke(SIGKILL, REVOKE_TIMEOUT));
  }

  private boolean forEach(List<String> pids, Duration timeout, Action action) throws IOException {
    List<Keeper> keepers = keepers();
    for (String pid : pids) {
      List<Keeper> found = keepers.stream().filter(keeper -> hasPid(keeper.state(), pid)).toList();
      if (found.isEmpty()) {
        fail("no pooled JVM and no keeper has the pid " + pid);
      }
      for (Keeper keeper : found) {
        tryOn(keeper.socket(), timeout, action);
      }
    }
    return allWell;
  }

  private static boolean hasPid(KeeperState state, String pid) {
    return pid.equals(String.valueOf(state.keeperPid()))
        || pid.equals(String.valueOf(state.jvmPid()));
  }

  /** All keepers that answer, longest-lived first. */
  private List<Keeper> keepers() throws IOException {
    List<Keeper> keepers = new ArrayList<>();
    for (KeeperSocket socket : pool.sockets()) {
      tryOn(socket, TIMEOUT, connection -> keepers.add(new Keeper(socket, connection.status())));
    }
    keepers.sort(
        Comparator.comparing(
            keeper -> keeper.state().startedMs(), Comparator.nullsLast(Long::compareTo)));
    return keepers;
  }

  private void tryOn(KeeperSocket socket, Duration timeout, Action action) {
    try (KeeperConnection connection = KeeperConnection.open(socket, timeout)) {
      action.on(connection);
    } catch (ConnectException | NoSuchFileException e) {
      // It has ended since its socket was listed: as if it had never been there.
    } catch (IOException e) {
      fail("keeper " + socket.keeperPid() + ": " + e.getMessage());
    }
  }

  private void fail(String message) {
    err.println("hottub: " + message);
    allWell = false;
  }
}
