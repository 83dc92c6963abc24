// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.recipes;

import io.hottub.protocol.MachineMemory;
import io.hottub.yarn.pool.MemoryPressure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Whether the node has other things to do than to warm JVMs: containers that are about to start,
 * memory that is short, processors that others use. Of the kernel's pressure information only that
 * for memory tells: pressure on the processors would be the warming's own as well.
 */
public final class NodeLoad {
  /** So long after its request a container is loading its files and classes. */
  private static final Duration CONTAINER_STARTS = Duration.ofSeconds(10);

  /** Shorter than this, the clock of /proc/stat says too little. */
  static final Duration WINDOW = Duration.ofSeconds(1);

  /** Position of idle and iowait among the times of all processors. */
  private static final List<Integer> WAITING = List.of(3, 4);

  /** After it come times of guests, which are in the first ones, too. */
  private static final int TIMES = 8;

  private static final long NANOS_PER_TICK = 10_000_000;

  /**
   * Of less than a twentieth idle JVMs would leave the node by themselves (scarcity.c): what has
   * been warmed would go, and be warmed again.
   */
  private static final int AVAILABLE_PART = 10;

  private final Path stat;
  private final Path memory;
  private final MemoryPressure pressure;
  private final int percent;

  private volatile long quietFrom = System.nanoTime();
  private Sample last;

  /** Times since boot, of all processors together, in ticks; and what of it was our own. */
  private record Sample(long at, long busy, long all, Duration own) {}

  /**
   * @param proc the kernel's {@code /proc}
   * @param percent others keep the node busy if they use more than this share of its processors;
   *     100: they never do
   */
  public NodeLoad(Path proc, MemoryPressure pressure, int percent) {
    this.stat = proc.resolve("stat");
    this.memory = proc.resolve("meminfo");
    this.pressure = pressure;
    this.percent = percent;
  }

  /** YARN has asked for a container on this node. */
  public void containerStarts() {
    quietFrom = System.nanoTime() + CONTAINER_STARTS.toNanos();
  }

  /** Begins to measure anew. */
  void begin() throws IOException {
    last = sample(Duration.ZERO);
  }

  /**
   * Returns what the node is busy with.
   *
   * @param own processor time that the warming itself has used since {@link #begin}
   */
  Optional<String> busy(Duration own) throws IOException {
    if (System.nanoTime() - quietFrom < 0) {
      return Optional.of("container");
    }
    if (pressure.isHigh() || isMemoryScarce()) {
      return Optional.of("memory");
    }
    return cpuOfOthers(own) > percent ? Optional.of("cpu") : Optional.empty();
  }

  private boolean isMemoryScarce() throws IOException {
    MachineMemory now = MachineMemory.read(memory);
    return now.availableKb() < now.totalKb() / AVAILABLE_PART;
  }

  /** Share in the last window; 0 as long as that has not passed. */
  private double cpuOfOthers(Duration own) throws IOException {
    if (percent == 100 || System.nanoTime() - last.at() < WINDOW.toNanos()) {
      return 0;
    }
    Sample now = sample(own);
    double all = now.all() - last.all();
    double ours = (double) now.own().minus(last.own()).toNanos() / NANOS_PER_TICK;
    double others = now.busy() - last.busy() - ours;
    last = now;
    return all <= 0 ? 0 : 100 * others / all;
  }

  private Sample sample(Duration own) throws IOException {
    String first = Files.readString(stat).lines().findFirst().orElse("");
    String[] words = first.split(" +", -1);
    if (!words[0].equals("cpu") || words.length <= TIMES) {
      throw new IOException(stat + " does not begin with the times of all processors");
    }
    long busy = 0;
    long all = 0;
    for (int i = 0; i < TIMES; i++) {
      long ticks = Long.parseLong(words[i + 1]);
      all += ticks;
      busy += WAITING.contains(i) ? 0 : ticks;
    }
    return new Sample(System.nanoTime(), busy, all, own);
  }
}
