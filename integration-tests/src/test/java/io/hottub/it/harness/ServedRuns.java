// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import io.hottub.protocol.Journal;
import io.hottub.protocol.JournalEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** How runs were served, as the journal of a pool tells. */
public final class ServedRuns {
  private ServedRuns() {}

  /** The number of lines that there are in the journal. */
  public static int journalled(Pool pool) throws IOException {
    return Journal.history(pool.directory()).size();
  }

  /**
   * The runs whose lines the journal got after so many others: {@code MAIN-CLASS warm}, or main
   * class and line.
   */
  public static List<String> since(Pool pool, int former) throws IOException {
    List<String> journal = Journal.history(pool.directory());
    return of(journal.subList(former, journal.size()));
  }

  /** The same of these lines. */
  public static List<String> of(List<String> journal) throws IOException {
    List<String> served = new ArrayList<>();
    for (String line : journal) {
      JournalEntry entry = JournalEntry.parse(line);
      if (Objects.equals(entry.event(), "run")) {
        boolean warm = Objects.equals(entry.text("served"), "pool") && entry.isWarm();
        served.add(entry.text("main_class") + (warm ? " warm" : " " + line));
      }
    }
    return served;
  }
}
