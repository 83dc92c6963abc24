// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * Marks are made and removed in the folder of a fingerprint, and nowhere else, whatever a keeper or
 * a journal gives as one. Input: the fingerprint.
 */
public final class MarksFuzz {
  private static PoolMarks marks;

  /** Marks of others that may not be touched. */
  private static List<Path> others;

  private MarksFuzz() {}

  private static void create() throws IOException {
    TempPool temp = new TempPool();
    marks = new PoolMarks(temp.pool());
    others =
        List.of(
            temp.pool().root().resolve("drained"),
            temp.pool().userFolder().resolve("drained"),
            Files.createDirectory(temp.pool().userFolder().resolve("other")).resolve("drained"));
    for (Path other : others) {
      Files.createFile(other);
    }
    temp.closeAtExit();
  }

  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    if (marks == null) {
      create();
    }
    String fingerprint = new String(input, StandardCharsets.UTF_8);
    boolean valid = PoolDirectory.isFingerprint(fingerprint);
    expect(attempt(() -> marks.drain(fingerprint)) == valid);
    expect(marks.isDrained(fingerprint) == valid);
    expect(attempt(() -> marks.closeUntil(fingerprint, Instant.ofEpochSecond(1))) == valid);
    expect(attempt(() -> marks.undrain(fingerprint)) == valid);
    expect(!marks.isDrained(fingerprint));
    others.forEach(other -> expect(Files.exists(other)));
  }

  private interface Action {
    void run() throws IOException;
  }

  private static boolean attempt(Action action) {
    try {
      action.run();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static void expect(boolean condition) {
    if (!condition) {
      throw new AssertionError("a mark is not where it belongs");
    }
  }
}
