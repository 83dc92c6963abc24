// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.protocol.Journal;
import io.hottub.protocol.JvmState;
import io.hottub.protocol.MockKeeper;
import io.hottub.protocol.PoolLimits;
import io.hottub.protocol.PoolMarks;
import io.hottub.yarn.log.LogLines;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What lasts is said once, however often the pool is looked at; and when it is over. */
class PoolWatchTest {
  private static final int MUCH = 1 << 20;

  private final LogLines lines = new LogLines(PoolWatch.class);
  private MockPool jvms;
  private Path user;
  private Journal journal;
  private PoolWatch watch;
  private Error error;
  private int failures;

  private final PoolObserver observer =
      new PoolObserver() {
        @Override
        public void scanned(PoolView view) {
          if (error != null) {
            throw error;
          }
        }

        @Override
        public void failed() {
          failures++;
        }
      };

  @BeforeEach
  void createWatch() throws IOException {
    jvms = new MockPool();
    user = jvms.temp.pool().userFolder();
    journal = new Journal(jvms.temp.pool());
    PolicyLimits limits = new PolicyLimits(new PoolLimits(9, 9, 900, 1000, MUCH), 9, 0, 86_400);
    watch =
        new PoolWatch(
            new PoolScanner(jvms.temp.pool()),
            new PoolMarks(jvms.temp.pool()),
            journal,
            new PoolPolicy(limits, fingerprint -> 0),
            () -> new PoolPolicy.Room(Long.MAX_VALUE, false),
            Duration.ofMinutes(15),
            List.of(observer));
    watch.run();
  }

  @AfterEach
  void close() throws IOException {
    lines.close();
    journal.close();
    jvms.close();
  }

  private void runTwice() {
    watch.run();
    watch.run();
  }

  /** That it could not look, and that it can again. */
  private void assertSaidOnce() {
    assertEquals(
        List.of(
            "WARN Cannot look at the pool; trying again at every turn",
            "INFO The pool can be looked at again"),
        lines.get());
  }

  @Test
  void aFolderThatCannotBeUsed() throws Exception {
    Files.setAttribute(user, "unix:mode", 0755);
    runTwice();
    Files.setAttribute(user, "unix:mode", 0700);
    runTwice();
    assertSaidOnce();
  }

  @Test
  void aJournalThatCannotBeMade() throws Exception {
    Files.delete(user.resolve("journal"));
    // Its folder goes aside, so that no new one can be made.
    Path aside = jvms.temp.pool().root().resolve("aside");
    Files.move(user, aside);
    runTwice();
    Files.move(aside, user);
    runTwice();
    assertEquals(
        List.of(
            "WARN Cannot read the journal of the pool; runs are not counted",
            "INFO The journal of the pool can be read again"),
        lines.get());
  }

  @Test
  void damagedLines() throws Exception {
    for (String text : List.of("damaged\nalso\n", "again\n", "{\"event\":\"new\"}\n")) {
      Files.writeString(user.resolve("journal"), text, StandardOpenOption.APPEND);
      runTwice();
    }
    List<String> said = lines.get();
    assertEquals(2, said.size(), said.toString());
    assertTrue(
        said.get(0)
            .startsWith(
                "WARN Damaged lines in the journal of the pool are not counted; the first of them: "),
        said.get(0));
    assertEquals("INFO The journal of the pool has whole lines again", said.get(1));
  }

  @Test
  void aJournalThatIsTooLarge() throws Exception {
    try (var sparse = new RandomAccessFile(user.resolve("journal").toFile(), "rw")) {
      sparse.setLength(9 << 20);
    }
    runTwice();
    assertEquals(
        List.of(
            "WARN Cannot read the journal of the pool; runs are not counted: "
                + user.resolve("journal")
                + " had 9437184 bytes, more than a journal can have: it was removed unread",
            "INFO The journal of the pool can be read again"),
        lines.get());
    assertEquals(1, failures);
  }

  @Test
  void whateverIsThrown() throws Exception {
    error = new StackOverflowError("once");
    runTwice();
    error = null;
    runTwice();
    assertSaidOnce();
    assertEquals(2, failures);
  }

  @Test
  void aKeeperThatDoesNotAnswer() throws Exception {
    AtomicBoolean answers = new AtomicBoolean();
    byte[] state = MockKeeper.state(MockKeeper.stateJson(7, JvmState.IDLE));
    jvms.add(7, "a", (request, payload) -> answers.get() ? state : null);
    runTwice();
    answers.set(true);
    runTwice();
    assertEquals(
        List.of(
            "WARN Keeper 7 does not answer as it should",
            "INFO Keeper 7 answers again, or has ended"),
        lines.get());
  }

  @Test
  void aJvmThatCannotBeRetired() throws Exception {
    byte[] state = MockKeeper.state(MockKeeper.stateJson(7, JvmState.IDLE));
    jvms.add(7, "a", (request, payload) -> request.equals("STATUS") ? state : null);
    PoolMarks marks = new PoolMarks(jvms.temp.pool());
    marks.drain();
    runTwice();
    marks.undrain();
    runTwice();
    assertEquals(
        List.of(
            "WARN Cannot retire the JVM of keeper 7; trying again at every turn",
            "INFO The JVM of keeper 7 is retired, or is to stay, or has ended"),
        lines.get());
  }
}
