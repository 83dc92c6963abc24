// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.campaign;

import io.hottub.protocol.JvmState;
import io.hottub.protocol.KeeperConnection;
import io.hottub.protocol.KeeperSocket;
import io.hottub.protocol.KeeperState;
import io.hottub.protocol.PoolDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The pool of the campaign of clones: who is in it, and its end. */
final class ClonePool {
  static final long LONGEST_END_MS = 15_000;

  private static final Duration ANSWER = Duration.ofMillis(LONGEST_END_MS);
  private static final long POLL_MS = 2;

  private final Path programs;
  private final Path work;
  private final PoolDirectory directory;

  ClonePool(Path home, Path work, Path root) throws IOException {
    programs = home.resolve("lib/hottub");
    this.work = work;
    directory = PoolDirectory.at(root);
  }

  Path root() {
    return directory.root();
  }

  /** Polls until a condition holds, or a time has passed; whether it holds. */
  static boolean await(long ms, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
    while (!condition.call()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      Thread.sleep(POLL_MS);
    }
    return true;
  }

  // ---- who is there

  /** What the keepers that answer say. */
  List<KeeperState> states() throws IOException {
    List<KeeperState> states = new ArrayList<>();
    for (KeeperSocket socket : directory.sockets()) {
      try (KeeperConnection connection = KeeperConnection.open(socket, ANSWER)) {
        states.add(connection.status());
      } catch (IOException e) {
        // It has ended, or was killed.
      }
    }
    return states;
  }

  /** Whether its template lives: its keeper is then a child of that of the template. */
  static boolean isClone(KeeperState state, List<KeeperState> all) {
    long parent =
        ProcessHandle.of(state.keeperPid())
            .flatMap(ProcessHandle::parent)
            .map(ProcessHandle::pid)
            .orElse(0L);
    return all.stream().anyMatch(s -> s.state() == JvmState.TEMPLATE && s.keeperPid() == parent);
  }

  /** There is a template, and a clone that waits for a run. */
  boolean isReady() throws IOException {
    List<KeeperState> states = states();
    return states.stream().anyMatch(s -> s.state() == JvmState.IDLE && isClone(s, states));
  }

  /** A JVM waits for a run, be it a clone or one in training. */
  boolean isIdle() throws IOException {
    return states().stream().anyMatch(s -> s.state() == JvmState.IDLE);
  }

  /** Whether this is a keeper or a JVM: it is in a folder of the pool, or in that of a run. */
  boolean lives(long pid) {
    Path folder = Path.of("/proc", Long.toString(pid));
    try {
      return Files.readSymbolicLink(folder.resolve("exe")).startsWith(programs)
          && Files.readSymbolicLink(folder.resolve("cwd")).startsWith(work);
    } catch (IOException e) {
      return false; // It has ended, or is another user's.
    }
  }

  // ---- its end

  /**
   * Ends all JVMs of the pool; again and again, for a clone may be made meanwhile.
   *
   * @return how many processes did not end, and were killed
   */
  int end() throws Exception {
    await(
        LONGEST_END_MS,
        () -> {
          retireAll();
          return processes().isEmpty();
        });
    List<ProcessHandle> left = processes();
    left.forEach(ProcessHandle::destroyForcibly);
    return left.size();
  }

  /** Kills all keepers and JVMs of the pool. */
  void killAll() throws Exception {
    await(
        LONGEST_END_MS,
        () -> {
          processes().forEach(ProcessHandle::destroyForcibly);
          return processes().isEmpty();
        });
  }

  private void retireAll() throws IOException {
    for (KeeperSocket socket : directory.sockets()) {
      try (KeeperConnection connection = KeeperConnection.open(socket, ANSWER)) {
        connection.retire();
      } catch (IOException e) {
        // It is not there any more.
      }
    }
  }

  private List<ProcessHandle> processes() {
    return ProcessHandle.allProcesses().filter(p -> lives(p.pid())).toList();
  }

  // ---- what is in its files

  int crashes() throws IOException {
    return (int) files().stream().filter(f -> name(f).startsWith("hs_err")).count();
  }

  /** What keepers have written, of which each has written something since then. */
  String logsSince(FileTime time) throws IOException {
    StringBuilder logs = new StringBuilder();
    for (Path file : files()) {
      try {
        if (name(file).endsWith(".log") && Files.getLastModifiedTime(file).compareTo(time) >= 0) {
          logs.append("== ").append(file).append('\n').append(Files.readString(file));
        }
      } catch (NoSuchFileException e) {
        // Its keeper has just removed it.
      }
    }
    return logs.toString();
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }

  private List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    for (String fingerprint : directory.fingerprints()) {
      try (Stream<Path> folder = Files.list(directory.userFolder().resolve(fingerprint))) {
        folder.forEach(files::add);
      } catch (NoSuchFileException e) {
        // With the last JVM of its kind.
      }
    }
    return files;
  }
}
