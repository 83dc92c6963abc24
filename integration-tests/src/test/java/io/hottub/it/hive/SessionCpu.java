// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.hive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * Processor time of what a session starts: of the whole machine, but for the test and the processes
 * that it has started itself and that still run, the daemons and HiveServer2. What else runs on the
 * machine counts, too.
 */
final class SessionCpu {
  // proc(5), of the first line of /proc/stat: user, nice, system, irq, softirq
  private static final int[] BUSY = {1, 2, 3, 6, 7};
  private static final int MILLIS_OF_A_TICK = 10;

  private static final int LOOK_MILLIS = 500;
  private static final int MOST_LOOKS = 20;

  /** What the rest of the machine may use between two looks. */
  private static final int REST_MILLIS = 30;

  private SessionCpu() {}

  /**
   * Since the machine was started; differences of two readings tell something. Waits, but not for
   * long, until nothing uses much of the processor: JVMs that rest may still make clones.
   */
  static long atRest() throws IOException, InterruptedException {
    long last;
    long now = millis();
    int looks = 0;
    do {
      Thread.sleep(LOOK_MILLIS);
      last = now;
      now = millis();
    } while (now - last > REST_MILLIS && ++looks < MOST_LOOKS);
    return now;
  }

  private static long millis() throws IOException {
    String[] fields =
        Files.readAllLines(Path.of("/proc/stat")).get(0).split("\\s+", -1); // the first is "cpu"
    long ticks = 0;
    for (int field : BUSY) {
      ticks += Long.parseLong(fields[field]);
    }
    return ticks * MILLIS_OF_A_TICK - ours();
  }

  private static long ours() {
    ProcessHandle test = ProcessHandle.current();
    return Stream.concat(Stream.of(test), test.children())
        .flatMap(process -> process.info().totalCpuDuration().stream())
        .mapToLong(Duration::toMillis)
        .sum();
  }
}
