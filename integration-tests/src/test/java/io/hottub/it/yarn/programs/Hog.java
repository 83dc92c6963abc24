// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes its first file, fills so many MiB of heap, and waits for a second file (at most 5 minutes).
 */
public class Hog {
  private static final List<byte[]> HEAP = new ArrayList<>();

  public static void main(String[] args) throws Exception {
    Files.createFile(Path.of(args[0]));
    // Small enough for G1 not to give each a region or two of its own.
    for (int i = 0; i < 16 * Integer.parseInt(args[2]); i++) {
      byte[] block = new byte[1 << 16];
      for (int at = 0; at < block.length; at += 4096) {
        block[at] = 1;
      }
      HEAP.add(block);
    }
    for (int i = 0; i < 3_000 && !Files.exists(Path.of(args[1])); i++) {
      Thread.sleep(100);
    }
    System.exit(7);
  }
}
