// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class SmallFileTest {
  @TempDir Path folder;

  private void assertRefused(String problem, Path file) {
    ProtocolException refused = assertThrows(ProtocolException.class, () -> SmallFile.read(file));
    assertEquals(file + " " + problem, refused.getMessage());
  }

  @Test
  void whatItShouldBe() throws Exception {
    assertEquals("ä\n", SmallFile.read(Files.writeString(folder.resolve("a"), "ä\n")));
    assertTrue(SmallFile.read(Path.of("/proc/self/stat")).length() > 1);
    assertThrows(NoSuchFileException.class, () -> SmallFile.read(folder.resolve("none")));
  }

  @Test
  void whatHasNoEnd() throws Exception {
    Path large = folder.resolve("large");
    try (RandomAccessFile sparse = new RandomAccessFile(large.toFile(), "rw")) {
      sparse.setLength(20L << 30);
    }
    assertRefused("is larger than 1048576 bytes", large);
    assertRefused("is no regular file", Path.of("/dev/zero"));
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    assertRefused("is no regular file", pipe);
  }

  @Test
  void whatIsNoText() throws Exception {
    assertRefused("is no text in UTF-8", Files.write(folder.resolve("b"), new byte[] {-1}));
  }
}
