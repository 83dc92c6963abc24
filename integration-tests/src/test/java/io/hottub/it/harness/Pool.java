// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.protocol.JvmState;
import io.hottub.protocol.KeeperConnection;
import io.hottub.protocol.KeeperSocket;
import io.hottub.protocol.KeeperState;
import io.hottub.protocol.PoolDirectory;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A pool of its own for one test class, and the folder where its runs work. */
@SuppressWarnings({
  "try",
  "ReferenceEquality"
}) // close waits for processes; an interrupt fails the test
public final class Pool implements AutoCloseable {
  private static final Duration ANSWER = Duration.ofSeconds(10);

  /** Whether all runs are to be served by clones, as soon as there is a template. */
  public static final boolean CLONES = "clone".equals(System.getenv("HOTTUB_TEST_ISOLATION"));

  private static final Pattern JVM_PID = Pattern.compile("\"jvm_pid\":(\\d+)");
  private static final Pattern REASON = Pattern.compile("\"reason\":\"([^\"]+)\"");

  private final Path root;
  private final PoolDirectory directory;
  private final Path work;
  private final Path trace;
  private int runs;

  /** Creates the folders. */
  public Pool() throws IOException {
    root = Files.createTempDirectory("hottub");
    directory = PoolDirectory.at(root.resolve("p"));
    directory.create();
    work = Files.createDirectory(root.resolve("work"));
    trace = root.resolve("trace");
    Files.createFile(trace);
    if (CLONES) {
      Files.writeString(userFolder().resolve("limits"), "training_runs 1\n");
    }
  }

  /** The pool's root. */
  public Path root() {
    return directory.root();
  }

  /** Its folders. */
  public PoolDirectory directory() {
    return directory;
  }

  /** The user's folder in it. */
  public Path userFolder() {
    return directory.userFolder();
  }

  /** The file that gets one line for each run. */
  public Path trace() {
    return trace;
  }

  /** The working directory of all runs. */
  public Path work() {
    return work;
  }

  // ---- runs

  /** A process with this program and arguments, in the pool's environment and folder. */
  public ProcessBuilder builder(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(work.toFile());
    builder
        .environment()
        .keySet()
        .removeIf(
            name ->
                name.startsWith("HOTTUB")
                    || name.equals("CLASSPATH")
                    || name.matches("(JDK_JAVA|JAVA_TOOL|_JAVA)_OPTIONS"));
    builder.environment().put("HOTTUB_DIR", directory.root().toString());
    builder.environment().put("HOTTUB_TRACE", trace.toString());
    if (CLONES) {
      builder.environment().put("HOTTUB_ISOLATION", "clone");
    }
    return builder;
  }

  public Run start(ProcessBuilder builder) throws IOException {
    runs++;
    Path out = root.resolve("out-" + runs);
    Path err = root.resolve("err-" + runs);
    builder.redirectOutput(out.toFile()).redirectError(err.toFile());
    if (builder.redirectInput() == ProcessBuilder.Redirect.PIPE) {
      builder.redirectInput(Path.of("/dev/null").toFile());
    }
    return new Run(builder.start(), out, err);
  }

  /** Starts the client. */
  public Run start(String... arguments) throws IOException {
    return start(builder(command(Home.JAVA, List.of(arguments))));
  }

  /** One run through the client, to its end. */
  public Outcome run(List<String> arguments) throws Exception {
    return start(builder(command(Home.JAVA, arguments))).await();
  }

  public Outcome run(String... arguments) throws Exception {
    return run(List.of(arguments));
  }

  /** One run on the distribution's JDK. */
  public Outcome stock(List<String> arguments) throws Exception {
    return start(builder(command(Home.STOCK_JAVA, arguments))).await();
  }

  /** One run on the home's own copy of it. */
  public Outcome cold(List<String> arguments) throws Exception {
    return start(builder(command(Home.COLD_JAVA, arguments))).await();
  }

  public Outcome cold(String... arguments) throws Exception {
    return cold(List.of(arguments));
  }

  public static List<String> command(Path program, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    command.addAll(arguments);
    return command;
  }

  // ---- the pooled JVMs

  public List<KeeperSocket> sockets() throws IOException {
    return directory.sockets();
  }

  /** Waits until the JVMs of all former runs are idle, or have ended. */
  public void awaitIdle() throws Exception {
    Run.await("all JVMs are idle", () -> sockets().stream().allMatch(this::rests));
  }

  /** It is idle, or a template, beside which there is a clone that waits for a run, or dead. */
  private boolean rests(KeeperSocket socket) {
    if (socket.idleHint() || Run.hasEnded(socket.keeperPid())) {
      return true;
    }
    Path folder = socket.folder();
    try (Stream<Path> files = Files.list(folder)) {
      String template = Files.readSymbolicLink(folder.resolve("template")).toString();
      return template.equals(Long.toString(socket.keeperPid()))
          && files.anyMatch(f -> f.getFileName().toString().startsWith("i-"));
    } catch (IOException | UncheckedIOException e) {
      return false;
    }
  }

  /**
   * What the keeper of the only JVM says. Beside a template, which has the pid of the JVM that it
   * was, there are clones: that of the only run, or, if there is none, the template.
   */
  public KeeperState state() throws IOException {
    List<KeeperState> states = states();
    if (states.stream().anyMatch(state -> state.state() == JvmState.TEMPLATE)) {
      boolean isLeased = states.stream().anyMatch(state -> state.clientPid() != null);
      states =
          states.stream()
              .filter(
                  state ->
                      isLeased ? state.clientPid() != null : state.state() == JvmState.TEMPLATE)
              .toList();
    }
    assertEquals(1, states.size(), "JVMs in the pool");
    return states.get(0);
  }

  /**
   * The pid of the JVM that is trained by its runs: the only one, or the template it has become.
   */
  public long trainedJvm() throws IOException {
    List<KeeperState> states = states();
    List<Long> templates =
        states.stream()
            .filter(state -> state.state() == JvmState.TEMPLATE)
            .map(KeeperState::jvmPid)
            .toList();
    List<Long> trained =
        templates.isEmpty() ? states.stream().map(KeeperState::jvmPid).toList() : templates;
    assertEquals(1, trained.size(), () -> "trained JVMs; trace and logs:\n" + logs());
    return trained.get(0);
  }

  /** Whether a JVM may serve again after its run: idle, or as the template of clones. */
  public static boolean isBack(List<KeeperState> states, long jvm) {
    return states.stream()
        .filter(state -> Objects.equals(state.jvmPid(), jvm))
        .anyMatch(state -> EnumSet.of(JvmState.IDLE, JvmState.TEMPLATE).contains(state.state()));
  }

  /** What the keepers of all JVMs say; one that is just ending may be missing. */
  public List<KeeperState> states() throws IOException {
    List<KeeperState> states = new ArrayList<>();
    for (KeeperSocket socket : sockets()) {
      try (KeeperConnection connection = KeeperConnection.open(socket, ANSWER)) {
        states.add(connection.status());
      } catch (ConnectException | NoSuchFileException e) {
        // It is not there any more.
      } catch (IOException e) {
        if (!endsSoon(socket.keeperPid())) {
          throw e;
        }
      }
    }
    return states;
  }

  /** Whether a keeper that did not answer was on its way out. */
  private static boolean endsSoon(long keeper) throws IOException {
    try {
      Await.until("keeper " + keeper + " has ended", ANSWER, () -> Run.hasEnded(keeper));
      return true;
    } catch (AssertionError e) {
      return false;
    } catch (InterruptedException e) {
      throw new InterruptedIOException(e.getMessage());
    }
  }

  /** One line for each run: the pid of the JVM that served it, 0 for a cold run. */
  public List<Long> servedBy() throws IOException {
    List<Long> pids = new ArrayList<>();
    for (String line : Files.readAllLines(trace)) {
      Matcher matcher = JVM_PID.matcher(line);
      boolean pool = line.contains("\"served\":\"pool\"");
      pids.add(pool && matcher.find() ? Long.parseLong(matcher.group(1)) : 0);
    }
    return pids;
  }

  /** Why runs were cold, in their order; nothing for those that were not. */
  public List<String> reasons() throws IOException {
    return REASON.matcher(Files.readString(trace)).results().map(m -> m.group(1)).toList();
  }

  /**
   * Waits until so many runs have been served, or were cold: what a run writes can be seen before
   * its client has heard that it has begun, and a client that is killed until then leaves no line.
   */
  public void awaitTraced(int count) throws InterruptedException {
    Run.await("runs in the trace: " + count, () -> servedBy().size() >= count);
  }

  /** Whether a clone has served the last run. */
  public boolean cloneServedLast() throws IOException {
    return lastServedByClones(1) == 1;
  }

  /** How many of the last runs. */
  private long lastServedByClones(int count) throws IOException {
    List<String> lines = Files.readAllLines(trace);
    return lines.subList(lines.size() - count, lines.size()).stream()
        .filter(line -> line.contains("\"isolation\":\"clone\""))
        .count();
  }

  /** The JVM that has served the last run, 0 if it was cold. */
  public long servedLast() throws IOException {
    List<Long> pids = servedBy();
    return pids.get(pids.size() - 1);
  }

  /**
   * Fails unless the last runs were all served by one and the same JVM; where there are clones, by
   * one each, and by the JVM that was trained: another one for each generation, which the keeper
   * begins where clones compile much.
   */
  public void assertOneJvmServedLast(int count) throws IOException {
    List<Long> pids = servedBy();
    List<Long> last = pids.subList(pids.size() - count, pids.size());
    assertFalse(last.contains(0L), () -> "cold runs; trace and logs:\n" + logs());
    long trained = count - lastServedByClones(count);
    assertTrue(
        !CLONES || trained < Math.max(2, count), () -> "no clone; trace and logs:\n" + logs());
    long jvms = last.stream().distinct().count() - (count - trained);
    assertTrue(
        jvms >= Math.min(trained, 1) && jvms <= Math.min(trained, 1 + generations()),
        () -> jvms + " JVMs but clones; trace and logs:\n" + logs());
  }

  /** How often a keeper has begun to train another template in place of its own. */
  private long generations() {
    return CLONES ? logs().lines().filter(line -> line.contains("is to be trained")).count() : 0;
  }

  /** All files below the user's folder. Some go with their JVM while this walks. */
  public List<Path> files() throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        userFolder(),
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            found.add(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException gone) {
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, IOException gone) {
            return FileVisitResult.CONTINUE;
          }
        });
    return found;
  }

  /** Those with that beginning of their name. */
  public List<Path> files(String prefix) throws IOException {
    return files().stream().filter(f -> f.getFileName().toString().startsWith(prefix)).toList();
  }

  /** The trace and what the keepers wrote, for messages of failure. */
  public String logs() {
    StringBuilder all = new StringBuilder();
    try {
      all.append(Files.readString(trace));
      for (Path log : files()) {
        if (log.toString().endsWith(".log")) {
          all.append("--- ").append(log).append('\n').append(Files.readString(log));
        }
      }
    } catch (IOException e) {
      all.append(e);
    }
    return all.toString();
  }

  /** Ends all JVMs of the pool, also a clone that is made meanwhile. */
  public void retireAll() throws Exception {
    Run.await(
        "all JVMs of the pool have ended",
        () -> {
          retireWhoIsThere();
          return noneRestsHere();
        });
  }

  /**
   * Keepers, and JVMs between runs, are in a folder of the pool, whether they have a socket or not.
   */
  private boolean noneRestsHere() {
    return ProcessHandle.allProcesses().noneMatch(this::restsHere);
  }

  private boolean restsHere(ProcessHandle process) {
    try {
      Path folder = Path.of("/proc", Long.toString(process.pid()), "cwd");
      return Files.readSymbolicLink(folder).startsWith(userFolder().toRealPath());
    } catch (IOException e) {
      return false; // It has ended, or is another user's.
    }
  }

  private void retireWhoIsThere() throws Exception {
    for (KeeperSocket socket : sockets()) {
      var keeper = ProcessHandle.of(socket.keeperPid()).filter(this::restsHere);
      try (KeeperConnection connection = KeeperConnection.open(socket, ANSWER)) {
        connection.revoke(9, ANSWER);
        connection.retire();
      } catch (IOException e) {
        keeper.ifPresent(ProcessHandle::destroyForcibly);
      }
      if (keeper.isPresent()) {
        Run.await("the keeper has ended", () -> Run.hasEnded(socket.keeperPid()));
      }
    }
  }

  @Override
  public void close() throws Exception {
    retireAll();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
