// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.faults;

import io.hottub.it.harness.Await;
import io.hottub.it.harness.Run;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The containers of a NodeManager: their processes, and what it reports of their ends. */
final class NodeContainers {
  private static final Pattern PID_FILE = Pattern.compile("(container_\\w+)[.]pid");
  private static final Pattern MASTER = Pattern.compile(".*_000001");
  private static final Pattern ENDED =
      Pattern.compile(
          "ContainerStatus: \\[ContainerId: (container_\\w+), ExecutionType: \\w+, State: COMPLETE,"
              + " Capability: <[^>]*>, Diagnostics: (.*?), ExitStatus: (-?\\d+), IP:",
          Pattern.DOTALL);
  private static final Duration REPORTED = Duration.ofSeconds(30);
  private static final int DEPTH = 3;

  private final Path local;
  private final Path log;

  /**
   * @param local the NodeManager's local directory
   * @param log of the NodeManager, which has to tell the statuses that it sends
   */
  NodeContainers(Path local, Path log) {
    this.local = local;
    this.log = log;
  }

  /** What YARN was told of a container's end. */
  record End(int exitStatus, String diagnostics) {}

  /** Whether a container is that of an application master. */
  static boolean isMaster(String container) {
    return MASTER.matcher(container).matches();
  }

  /** The shells of the containers that run, by the names of the containers. */
  SortedMap<String, Long> shells() {
    SortedMap<String, Long> shells = new TreeMap<>();
    try (Stream<Path> files = Files.find(local.resolve("nmPrivate"), DEPTH, (f, a) -> isPid(f))) {
      for (Path file : files.toList()) {
        long shell = Long.parseLong(Files.readString(file).strip());
        if (!Run.hasEnded(shell)) {
          shells.put(file.getFileName().toString().replace(".pid", ""), shell);
        }
      }
    } catch (IOException | UncheckedIOException | NumberFormatException e) {
      // A container has just come or gone.
    }
    return shells;
  }

  private static boolean isPid(Path file) {
    return PID_FILE.matcher(file.getFileName().toString()).matches();
  }

  /** The {@code java} that a container's shell has started; a HotTub client is one, too. */
  Optional<ProcessHandle> java(String container) {
    Long shell = shells().get(container);
    return Optional.ofNullable(shell)
        .flatMap(ProcessHandle::of)
        .flatMap(
            process ->
                Stream.concat(Stream.of(process), process.children())
                    .filter(NodeContainers::isJava)
                    .findFirst());
  }

  private static boolean isJava(ProcessHandle process) {
    try {
      Path program = Files.readSymbolicLink(Path.of("/proc/" + process.pid() + "/exe"));
      return program.getFileName().toString().startsWith("java");
    } catch (IOException e) {
      return false;
    }
  }

  /** Processes that have the environment of a container of an application. */
  static List<Long> processes(String application) {
    String variable = "CONTAINER_ID=container_" + application.replaceFirst("application_", "");
    // The name of a container may have an epoch in front, e07_.
    Pattern pattern = Pattern.compile(variable.replace("container_", "container_(e\\d+_)?") + "_");
    List<Long> pids = new ArrayList<>();
    try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
      all.filter(process -> pattern.matcher(environment(process)).find())
          .forEach(process -> pids.add(process.pid()));
    }
    return pids;
  }

  private static String environment(ProcessHandle process) {
    try {
      return Files.readString(
          Path.of("/proc/" + process.pid() + "/environ"), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }

  /** How much the NodeManager has logged. */
  long logged() throws IOException {
    return Files.size(log);
  }

  /**
   * Waits for what the NodeManager reports of a container's end.
   *
   * @param from so much it had logged before
   */
  End awaitEnd(String container, long from) throws InterruptedException {
    List<End> ends = new ArrayList<>();
    Await.until(
        "the end of " + container + " is reported",
        REPORTED,
        () -> {
          Matcher matcher = ENDED.matcher(loggedSince(from));
          matcher
              .results()
              .filter(end -> end.group(1).equals(container))
              .findFirst()
              .ifPresent(end -> ends.add(end(end)));
          return !ends.isEmpty();
        });
    return ends.get(0);
  }

  private static End end(MatchResult result) {
    return new End(Integer.parseInt(result.group(3)), result.group(2));
  }

  /** What the NodeManager has logged since then. */
  String loggedSince(long from) throws IOException {
    byte[] all;
    try (var in = Files.newInputStream(log)) {
      in.skipNBytes(from);
      all = in.readAllBytes();
    }
    return new String(all, StandardCharsets.UTF_8);
  }
}
