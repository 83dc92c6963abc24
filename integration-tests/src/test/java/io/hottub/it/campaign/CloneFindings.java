// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.campaign;

import io.hottub.it.campaign.CloneRuns.Result;
import io.hottub.it.campaign.CloneRuns.Seen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;

/** What was wrong: a line for whoever looks on, and a file each with all that is known. */
final class CloneFindings {
  private final ClonePool pool;
  private final Path out;
  private int count;

  CloneFindings(ClonePool pool, Path out) {
    this.pool = pool;
    this.out = out;
  }

  int count() {
    return count;
  }

  /** A run that is not what it has to be. */
  void add(String what, Seen seen, Result expected) throws IOException {
    count++;
    System.err.printf("clones: wrong: %s: %s: %s%n", seen.program(), what, seen.trace().line());
    long ageMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - seen.beganNs());
    FileTime began = FileTime.fromMillis(System.currentTimeMillis() - ageMs);
    Files.writeString(
        out.resolve("wrong-" + count),
        "%s: %s%n%s%n== expected%n%s%n== was%n%s%n%s"
            .formatted(
                seen.program(),
                what,
                seen.trace().line(),
                expected,
                seen.result(),
                pool.logsSince(began)));
  }
}
