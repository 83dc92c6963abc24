// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.recipes;

import io.hottub.protocol.ClientVariables;
import io.hottub.protocol.RunTrace;
import io.hottub.protocol.SmallFile;
import io.hottub.yarn.config.IsolationPolicy;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * One run of a recipe: {@code bin/java} of the HotTub home as a child process, which leases a JVM
 * like any other client. Killing it revokes the lease, and the JVM goes back to the pool.
 */
public final class RecipeRun implements Closeable {
  /** What the runs of a recipe have as {@code CONTAINER_ID}, so that the journal names them. */
  public static final String ID_PREFIX = "recipe_";

  private static final long POLL_MS = 50;
  private static final int MAX_OUTPUT = 64 << 10;
  private static final long KILL_SECONDS = 5;

  private final Recipe recipe;
  private final NodeLoad load;
  private final LowPriority priority;
  private final Path folder;
  private final OutputStream log;
  private final Process process;
  private final long started = System.nanoTime();
  private int logged;
  private RunTrace trace;
  private Duration jvmCpuBefore = Duration.ZERO;

  /**
   * What became of a run. Neither failed nor revoked: it has done its work.
   *
   * @param failure keyword, or null
   * @param revoked what the node was busy with, or "drained", or null
   * @param trace null: the client did not get that far
   */
  record Outcome(String failure, String revoked, RunTrace trace) {
    static final Outcome NOT_STARTED = new Outcome("start", null, null);
  }

  /**
   * Where recipes run.
   *
   * @param home HotTub home
   * @param poolRoot root of the pool
   * @param logs folder of the logs
   * @param nice nice value that YARN gives to containers; null: that of the NodeManager
   * @param isolation what containers get whose application has not chosen one
   */
  public record Place(Path home, Path poolRoot, Path logs, String nice, IsolationPolicy isolation) {
    Path log(Recipe recipe) {
      return logs.resolve(recipe.name() + ".log");
    }
  }

  /**
   * Starts it.
   *
   * @param newJvm in a new JVM, also if there are idle ones
   */
  RecipeRun(Recipe recipe, boolean newJvm, Place place, NodeLoad load, LowPriority priority)
      throws IOException {
    this.recipe = recipe;
    this.load = load;
    this.priority = priority;
    Files.createDirectories(place.logs());
    folder = RunFolder.create();
    log = Files.newOutputStream(place.log(recipe));
    try {
      load.begin();
      process = builder(newJvm, place).start();
    } catch (IOException e) {
      close(null);
      throw e;
    }
  }

  private ProcessBuilder builder(boolean newJvm, Place place) throws IOException {
    List<String> command = new ArrayList<>();
    if (place.nice() != null && !recipe.user().isEmpty()) {
      command.addAll(List.of("nice", "-n", place.nice()));
    }
    command.add(place.home().resolve("bin/java").toString());
    command.addAll(recipe.options());
    command.addAll(List.of("-cp", recipe.classPath(), recipe.mainClass()));
    command.addAll(recipe.arguments());
    Path work = Files.createDirectory(folder.resolve("work"));
    ProcessBuilder builder = new ProcessBuilder(command).directory(work.toFile());
    builder.redirectErrorStream(true).redirectInput(Path.of("/dev/null").toFile());
    // Nothing of the NodeManager's own: it may be secret, or part of the fingerprint.
    Map<String, String> environment = builder.environment();
    environment.clear();
    environment.put("PATH", "/usr/bin:/bin");
    environment.put("HOME", work.toString());
    environment.put("JAVA_HOME", place.home().toString());
    // What believes to be in a container, because of its id, wants a place for its files.
    environment.put("LOCAL_DIRS", work.toString());
    environment.putAll(recipe.environment());
    environment.put("CONTAINER_ID", ID_PREFIX + recipe.name());
    environment.put(ClientVariables.TRAINING, "1");
    environment.put(ClientVariables.POOL_ROOT, place.poolRoot().toString());
    environment.put(ClientVariables.TRACE, traceFile().toString());
    if (newJvm) {
      environment.put(ClientVariables.MODE, "new");
    }
    if (!recipe.user().isEmpty()) {
      environment.put(ClientVariables.TENANT, recipe.user());
      environment.putIfAbsent(
          ClientVariables.ISOLATION, place.isolation().of(recipe.user()).word());
    }
    return builder;
  }

  private Path traceFile() {
    return folder.resolve("trace");
  }

  /** Waits for its end, or ends it: when it is late, not served by the pool, or in the way. */
  Outcome await() throws IOException, InterruptedException {
    while (true) {
      boolean ended = process.waitFor(POLL_MS, TimeUnit.MILLISECONDS);
      copyOutput();
      if (trace == null) {
        readTrace();
      }
      if (trace != null && !trace.pooled()) {
        return trace.isDrained()
            ? new Outcome(null, "drained", trace)
            : new Outcome("cold", null, trace);
      }
      if (ended) {
        return new Outcome(endedAs(), null, trace);
      }
      Optional<String> busy = load.busy(ownCpu());
      if (busy.isPresent()) {
        return new Outcome(null, busy.get(), trace);
      }
      if (spent().compareTo(recipe.deadline()) > 0) {
        return new Outcome("deadline", null, trace);
      }
    }
  }

  /** Without a trace, that was no client of ours. */
  private String endedAs() {
    if (trace == null) {
      return "cold";
    }
    return process.exitValue() == 0 ? null : "exit";
  }

  private Duration spent() {
    return Duration.ofNanos(System.nanoTime() - started);
  }

  private void readTrace() throws IOException, InterruptedException {
    Optional<String> line = Optional.empty();
    if (Files.exists(traceFile())) {
      line = SmallFile.read(traceFile()).lines().findFirst();
    }
    if (line.isPresent()) {
      trace = RunTrace.parse(line.get());
      if (trace.pooled()) {
        jvmCpuBefore = Long.valueOf(1).equals(trace.run()) ? Duration.ZERO : cpu(trace.jvmPid());
        priority.lower(trace.jvmPid());
      }
    }
  }

  /** So that the node is not busy with us. */
  private Duration ownCpu() {
    Duration client = cpu(process.pid());
    boolean leased = trace != null && trace.pooled();
    return leased ? client.plus(cpu(trace.jvmPid())).minus(jvmCpuBefore) : client;
  }

  private static Duration cpu(long pid) {
    return ProcessHandle.of(pid)
        .flatMap(handle -> handle.info().totalCpuDuration())
        .orElse(Duration.ZERO);
  }

  /** What is beyond the bound is read and forgotten: the run must not wait for us. */
  private void copyOutput() throws IOException {
    InputStream output = process.getInputStream();
    while (output.available() > 0) {
      byte[] bytes = output.readNBytes(output.available());
      int length = Math.min(bytes.length, MAX_OUTPUT - logged);
      log.write(bytes, 0, length);
      logged += length;
    }
  }

  @Override
  public void close() throws IOException {
    close(process);
  }

  private void close(Process started) throws IOException {
    try (log) {
      if (started != null) {
        started.destroyForcibly();
        started.getInputStream().close();
        started.waitFor(KILL_SECONDS, TimeUnit.SECONDS);
      }
      RunFolder.remove(folder);
    } catch (InterruptedException e) {
      // The next NodeManager removes it.
      Thread.currentThread().interrupt();
    }
  }
}
