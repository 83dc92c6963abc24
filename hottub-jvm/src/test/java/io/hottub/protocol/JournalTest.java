// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JournalTest {
  private TempPool temp;
  private Journal journal;
  private Path file;

  @BeforeEach
  void create() throws IOException {
    temp = new TempPool();
    journal = new Journal(temp.pool());
    file = temp.pool().userFolder().resolve("journal");
  }

  @AfterEach
  void remove() throws IOException {
    journal.close();
    temp.close();
  }

  private void append(String text) throws IOException {
    Files.writeString(file, text, StandardOpenOption.APPEND);
  }

  @Test
  void tellsWhatIsNew() throws Exception {
    assertEquals(List.of(), journal.poll());
    append("a\nb\nc");
    assertEquals(List.of("a", "b"), journal.poll());
    append("d\n");
    assertEquals(List.of("cd"), journal.poll());
    assertEquals(List.of(), journal.poll());
    assertEquals(List.of("a", "b", "cd"), Journal.history(temp.pool()));
  }

  @Test
  void whatWasThereBeforeIsHistory() throws Exception {
    Files.writeString(file, "a\n");
    assertEquals(List.of(), journal.poll());
    assertEquals(List.of("a"), Journal.history(temp.pool()));
  }

  @Test
  void aFullOneIsPutAsideAndLosesNothing() throws Exception {
    journal.poll();
    try (FileChannel late = FileChannel.open(file, StandardOpenOption.APPEND)) {
      append("x".repeat(1 << 20) + "\n");
      assertEquals(1, journal.poll().size());
      assertEquals(0, Files.size(file));
      late.write(StandardCharsets.UTF_8.encode("late\n"));
      append("new\n");
    }
    assertEquals(List.of("late", "new"), journal.poll());
    assertEquals(3, Journal.history(temp.pool()).size());
  }

  private void appendHole() throws IOException {
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(9 << 20);
    }
  }

  @Test
  void oneThatIsNoneOfOursIsNotRead() throws Exception {
    journal.poll();
    appendHole();
    assertEquals(
        file + " is larger than a journal can be, and is not read: remove it",
        assertThrows(ProtocolException.class, () -> Journal.history(temp.pool())).getMessage());
    assertEquals(
        file + " had 9437184 bytes, more than a journal can have: it was removed unread",
        assertThrows(ProtocolException.class, journal::poll).getMessage());
    assertEquals(List.of(), journal.poll());
    append("a\n");
    assertEquals(List.of("a"), journal.poll());
  }

  @Test
  void oneThatWasTooLargeBeforeIsPutAside() throws Exception {
    Files.createFile(file);
    appendHole();
    assertEquals(List.of(), journal.poll());
    append("a\n");
    assertEquals(List.of("a"), journal.poll());
  }

  @Test
  void aPipeKeepsNobodyWaiting() throws Exception {
    assertEquals(0, new ProcessBuilder("mkfifo", file.toString()).start().waitFor());
    assertTimeoutPreemptively(
        Duration.ofSeconds(20), () -> assertThrows(ProtocolException.class, journal::poll));
    Files.delete(file);
    assertEquals(List.of(), journal.poll());
  }

  @Test
  void aLineThatDoesNotEndIsCut() throws Exception {
    journal.poll();
    append("x".repeat(1 << 19));
    assertEquals(List.of(), journal.poll());
    append("x\nnext\n");
    List<String> lines = journal.poll();
    assertEquals(1 << 16, lines.get(0).length());
    assertEquals("next", lines.get(1));
  }

  @Test
  void oneThatWasDeletedIsMadeAgain() throws Exception {
    journal.poll();
    Files.delete(file);
    journal.poll();
    append("a\n");
    assertEquals(List.of("a"), journal.poll());
    assertEquals(List.of(), journal.poll());
  }

  @Test
  void entries() throws Exception {
    JournalEntry entry =
        JournalEntry.parse(
            "{\"event\":\"reset\",\"run\":3,\"main_class\":null,\"phases\":{\"a_us\":4,\"b\":\"x\"}}");
    assertEquals("reset", entry.event());
    assertEquals(3, entry.number("run"));
    assertNull(entry.text("main_class"));
    assertNull(entry.number("event"));
    assertEquals(Map.of("a_us", 4L), entry.numbers("phases"));
    assertTrue(entry.numbers("run").isEmpty());
    assertThrows(ProtocolException.class, () -> JournalEntry.parse("{}"));
    assertThrows(ProtocolException.class, () -> JournalEntry.parse("half a li"));
  }
}
