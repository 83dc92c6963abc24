// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Whatever is in the journal, its lines come out as they went in, and each is understood or
 * refused. Input: where the second write begins, and lines.
 */
public final class JournalFuzz {
  private static final List<String> MEMBERS = List.of("event", "at_ms", "run", "phases", "x");

  private static Path file;
  private static Journal journal;

  private JournalFuzz() {}

  private static void create() throws IOException {
    TempPool temp = new TempPool();
    file = temp.pool().userFolder().resolve("journal");
    journal = new Journal(temp.pool());
    temp.closeAtExit();
  }

  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    if (input.length == 0) {
      return;
    }
    if (journal == null) {
      create();
    }
    journal.poll();
    int cut = Math.min(1 + Byte.toUnsignedInt(input[0]), input.length);
    List<String> lines = new ArrayList<>();
    // One writer, who keeps to the file that it has opened: the journal may be put aside meanwhile.
    try (FileChannel writer = FileChannel.open(file, StandardOpenOption.APPEND)) {
      writer.write(ByteBuffer.wrap(input, 1, cut - 1));
      lines.addAll(journal.poll());
      writer.write(ByteBuffer.wrap(input, cut, input.length - cut));
      writer.write(ByteBuffer.wrap(new byte[] {'\n'}));
    }
    lines.addAll(journal.poll());
    if (!lines.equals(linesOf(input))) {
      throw new AssertionError(lines);
    }
    lines.forEach(JournalFuzz::parse);
  }

  /** Each line is decoded for itself: half a character at its end is none of the next one. */
  private static List<String> linesOf(byte[] input) {
    String bytes = new String(input, 1, input.length - 1, StandardCharsets.ISO_8859_1);
    return Arrays.stream(bytes.split("\n", -1))
        .map(line -> new String(line.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8))
        .toList();
  }

  private static void parse(String line) {
    try {
      JournalEntry entry = JournalEntry.parse(line);
      if (entry.event() == null) {
        throw new AssertionError("an entry without an event");
      }
      for (String member : MEMBERS) {
        entry.text(member);
        entry.number(member);
        entry.numbers(member);
      }
    } catch (ProtocolException e) {
      // As it should be.
    }
  }
}
