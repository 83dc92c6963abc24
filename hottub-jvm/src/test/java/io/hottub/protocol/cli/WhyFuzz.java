// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.cli;

import io.hottub.protocol.TempPool;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * {@code hottub why} tells a story of any journal, and nothing that controls a terminal. Input: the
 * journal.
 */
public final class WhyFuzz {
  private static TempPool temp;

  private WhyFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    if (temp == null) {
      temp = new TempPool();
      temp.closeAtExit();
    }
    Path journal = temp.pool().userFolder().resolve("journal");
    Files.write(journal, input);
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(told, false, StandardCharsets.UTF_8)) {
      new Why(temp.pool(), out, out).tell(List.of("1", "c"));
    }
    for (byte c : told.toByteArray()) {
      if (c != '\n' && (c < ' ' || c > '~')) {
        throw new AssertionError("not printable: " + c);
      }
    }
  }
}
