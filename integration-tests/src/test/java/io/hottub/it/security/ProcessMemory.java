// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.security;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What another process has in memory, as root or its owner may read it. */
final class ProcessMemory {
  private static final int CHUNK = 1 << 20;

  private final Path proc;

  ProcessMemory(long pid) {
    proc = Path.of("/proc", Long.toString(pid));
  }

  /** The proportional share of the process, in kilobytes. */
  long pssKilobytes() throws IOException {
    for (String line : Files.readAllLines(proc.resolve("smaps_rollup"))) {
      if (line.startsWith("Pss:")) {
        return Long.parseLong(line.replaceAll("\\D+", ""));
      }
    }
    throw new IOException(proc + " has no Pss");
  }

  /** The mappings that contain a text, as bytes or as UTF-16, with the number of places. */
  List<String> find(String text) throws IOException {
    byte[][] patterns = {
      text.getBytes(StandardCharsets.US_ASCII), text.getBytes(StandardCharsets.UTF_16LE)
    };
    List<String> found = new ArrayList<>();
    try (RandomAccessFile memory = new RandomAccessFile(proc.resolve("mem").toFile(), "r")) {
      for (String line : Files.readAllLines(proc.resolve("maps"))) {
        String[] words = line.split(" +", 6);
        String name = words.length > 5 ? words[5] : "";
        if (words[1].startsWith("r") && !name.startsWith("[v")) {
          String[] range = words[0].split("-", 2);
          int places =
              count(
                  memory,
                  Long.parseUnsignedLong(range[0], 16),
                  Long.parseUnsignedLong(range[1], 16),
                  patterns);
          if (places > 0) {
            found.add(places + " x " + line);
          }
        }
      }
    }
    return found;
  }

  private static int count(RandomAccessFile memory, long begin, long end, byte[][] patterns)
      throws IOException {
    int places = 0;
    int overlap = patterns[1].length - 1;
    byte[] chunk = new byte[CHUNK + overlap];
    for (long at = begin; at < end; at += CHUNK) {
      int length = (int) Math.min(chunk.length, end - at);
      memory.seek(at);
      int got = memory.read(chunk, 0, length);
      // Zeroed memory, which is most of it, is passed quickly.
      for (int i = 0; i < Math.min(got, CHUNK); i++) {
        if (chunk[i] == patterns[0][0] && isAny(chunk, i, got, patterns)) {
          places++;
        }
      }
    }
    return places;
  }

  private static boolean isAny(byte[] chunk, int at, int end, byte[]... patterns) {
    for (byte[] pattern : patterns) {
      if (isAt(chunk, at, end, pattern)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isAt(byte[] chunk, int at, int end, byte[] pattern) {
    if (at + pattern.length > end) {
      return false;
    }
    for (int i = 0; i < pattern.length; i++) {
      if (chunk[at + i] != pattern[i]) {
        return false;
      }
    }
    return true;
  }
}
