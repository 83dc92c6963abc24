// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Makes its first file and stays (at most 5 minutes); a shutdown hook makes the second file. The
 * third argument may be "stubborn": the hook does not end, or "greedy": 500 MiB of heap are filled.
 */
public class Stays {
  private static final List<byte[]> HEAP = new ArrayList<>();

  public static void main(String[] args) throws Exception {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  try {
                    Files.createFile(Path.of(args[1]));
                    if (args[2].equals("stubborn")) {
                      Thread.sleep(300_000);
                    }
                  } catch (Exception e) {
                    e.printStackTrace();
                  }
                }));
    Files.createFile(Path.of(args[0]));
    // Small enough for G1 not to give each a region or two of its own.
    for (int i = 0; i < 8_000 && args[2].equals("greedy"); i++) {
      byte[] block = new byte[1 << 16];
      Arrays.fill(block, (byte) 1);
      HEAP.add(block);
    }
    Thread.sleep(300_000);
  }
}
