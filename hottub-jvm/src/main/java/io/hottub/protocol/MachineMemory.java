// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the kernel tells of the memory of this machine.
 *
 * @param totalKb all of it, KiB
 * @param availableKb what programs could have without swapping, KiB; {@link Long#MAX_VALUE} where
 *     that is not told
 */
public record MachineMemory(long totalKb, long availableKb) {
  /** The kernel's own file. */
  public static final Path FILE = Path.of("/proc/meminfo");

  private static final Pattern LINE =
      Pattern.compile("(?m)^(MemTotal|MemAvailable): +([0-9]{1,15}) kB$");

  /**
   * Reads it.
   *
   * @param file {@link #FILE}, or one like it
   * @throws IOException if that does not tell how much memory there is
   */
  public static MachineMemory read(Path file) throws IOException {
    long total = -1;
    long available = Long.MAX_VALUE;
    Matcher line = LINE.matcher(SmallFile.read(file));
    while (line.find()) {
      long value = Long.parseLong(line.group(2));
      if (line.group(1).equals("MemTotal")) {
        total = value;
      } else {
        available = value;
      }
    }
    if (total < 0) {
      throw new IOException(file + " does not tell the memory of this machine");
    }
    return new MachineMemory(total, available);
  }
}
