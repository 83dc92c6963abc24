// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** Reads files that are small if they are what they should be. Others may have written them. */
public final class SmallFile {
  /** Settings, scripts and recipes are far below it. */
  private static final int MAX_BYTES = 1 << 20;

  private SmallFile() {}

  /**
   * Returns the text of a file in UTF-8.
   *
   * @throws NoSuchFileException if there is none
   * @throws ProtocolException if it is no file, larger than 1 MiB, or no UTF-8; the message names
   *     it
   */
  public static String read(Path file) throws IOException {
    try {
      byte[] bytes = read(file, MAX_BYTES);
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new ProtocolException(file + " is no text in UTF-8", e);
    }
  }

  /**
   * Returns the content of a file of at most {@code max} bytes.
   *
   * @throws NoSuchFileException if there is none
   * @throws ProtocolException if it is no file, or larger; the message names it
   */
  public static byte[] read(Path file, int max, LinkOption... links) throws IOException {
    // To open a pipe would wait for who writes to it.
    if (!Files.readAttributes(file, BasicFileAttributes.class, links).isRegularFile()) {
      throw new ProtocolException(file + " is no regular file");
    }
    try (InputStream in = Files.newInputStream(file, links)) {
      // Its size tells nothing of a device, or of a file in /proc.
      byte[] bytes = in.readNBytes(max + 1);
      if (bytes.length > max) {
        throw new ProtocolException(file + " is larger than " + max + " bytes");
      }
      return bytes;
    }
  }
}
