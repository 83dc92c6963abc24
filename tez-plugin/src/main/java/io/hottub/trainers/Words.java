// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.trainers;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** What trainers count. */
public final class Words {
  private static final int LINES = 20_000;
  private static final int WORDS_OF_A_LINE = 8;
  private static final int DIFFERENT = 5_000;

  private Words() {}

  /** Writes two files into a new folder, with the same words in another order. */
  public static Path write(Path folder) throws IOException {
    Files.createDirectory(folder);
    write(folder.resolve("1"), 1);
    write(folder.resolve("2"), 7);
    return folder;
  }

  private static void write(Path file, int step) throws IOException {
    try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      for (int line = 0; line < LINES; line++) {
        for (int word = 0; word < WORDS_OF_A_LINE; word++) {
          out.write("word" + (line * WORDS_OF_A_LINE + word) * step % DIFFERENT + " ");
        }
        out.write('\n');
      }
    }
  }
}
