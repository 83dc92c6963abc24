// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserFileTest {
  private static final Duration SOON = Duration.ofMillis(100);

  @TempDir Path temp;

  private final Semaphore end = new Semaphore(0);
  private Path file;

  @BeforeEach
  void write() throws IOException {
    file = Files.writeString(temp.resolve("file"), "text");
  }

  private String read() throws IOException {
    return UserFile.read(file, String::new);
  }

  /** As one that opens a pipe: it cannot be interrupted. */
  private Object hang(byte[] content) {
    end.acquireUninterruptibly();
    return content;
  }

  @Test
  void givesWhatTheParserMakesOfIt() throws Exception {
    assertEquals("text", read());
  }

  @Test
  void aLinkIsNotFollowed() throws Exception {
    file = Files.createSymbolicLink(temp.resolve("link"), file);
    assertThrows(IOException.class, this::read);
  }

  @Test
  void aParserWithoutMemoryOrStackIsAFailureToRead() {
    for (Throwable thrown : new Throwable[] {new OutOfMemoryError(), new StackOverflowError()}) {
      IOException e =
          assertThrows(
              IOException.class,
              () ->
                  UserFile.read(
                      file,
                      content -> {
                        throw (Error) thrown;
                      }));
      assertInstanceOf(thrown.getClass(), e.getCause());
    }
  }

  @Test
  void whatNeverEndsIsGivenUpAndTakesNoMoreThanItsThreads() throws Exception {
    try {
      for (int i = 0; i < 20; i++) {
        assertThrows(IOException.class, () -> UserFile.read(file, this::hang, SOON));
      }
      long readers =
          Thread.getAllStackTraces().keySet().stream()
              .filter(thread -> thread.getName().equals("hottub-settings"))
              .peek(thread -> assertTrue(thread.isDaemon()))
              .count();
      assertEquals(8, readers);
    } finally {
      end.release(20);
    }
    assertEquals("text", read());
  }

  @Test
  void anInterruptStays() {
    Thread.currentThread().interrupt();
    assertThrows(IOException.class, this::read);
    assertTrue(Thread.interrupted());
  }
}
