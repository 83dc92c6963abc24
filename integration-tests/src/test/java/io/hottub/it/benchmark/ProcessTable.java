// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.benchmark;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All processes of the machine at one moment, with the processor time that they have used. */
final class ProcessTable {
  private static final long TICK_MS = 10;

  /**
   * Times in ticks of the kernel.
   *
   * @param ended of descendants that have ended and were waited for
   */
  private record Stat(long parent, long own, long ended) {
    static Stat parse(String text) {
      String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
      return new Stat(
          Long.parseLong(fields[1]),
          Long.parseLong(fields[11]) + Long.parseLong(fields[12]),
          Long.parseLong(fields[13]) + Long.parseLong(fields[14]));
    }
  }

  private final Map<Long, Stat> stats = new HashMap<>();

  private ProcessTable() {}

  static ProcessTable read() throws IOException {
    ProcessTable table = new ProcessTable();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[1-9]*")) {
      for (Path process : processes) {
        try {
          table.stats.put(
              Long.valueOf(process.getFileName().toString()),
              Stat.parse(Files.readString(process.resolve("stat"))));
        } catch (IOException e) {
          // It has ended.
        }
      }
    }
    return table;
  }

  List<Long> children(long process) {
    return stats.entrySet().stream()
        .filter(entry -> entry.getValue().parent == process)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Processor time of a process and all below it, ended or not, in ms; 0 if it has ended. */
  long treeMs(long process) {
    Stat stat = stats.get(process);
    if (stat == null) {
      return 0;
    }
    long ms = (stat.own + stat.ended) * TICK_MS;
    for (long child : children(process)) {
      ms += treeMs(child);
    }
    return ms;
  }
}
