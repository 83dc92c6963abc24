// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import io.hottub.protocol.Journal;
import io.hottub.protocol.JournalEntry;
import io.hottub.yarn.recipes.RecipeRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** How runs were served, as the journal of a pool tells. */
public final class ServedRuns {
  private ServedRuns() {}

  /** The number of lines that there are in the journal. */
  public static int journalled(Pool pool) throws IOException {
    return Journal.history(pool.directory()).size();
  }

  /**
   * The runs whose lines the journal got after so many others: {@code MAIN-CLASS warm}, or main
   * class and line. Without those that train a JVM by a recipe: a node begins to when one is in
   * use.
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
      if (isRunOfAUser(entry)) {
        boolean warm = Objects.equals(entry.text("served"), "pool") && entry.isWarm();
        served.add(entry.text("main_class") + (warm ? " warm" : " " + line));
      }
    }
    return served;
  }

  private static boolean isRunOfAUser(JournalEntry entry) {
    String container = entry.text("container_id");
    boolean isTraining = container != null && container.startsWith(RecipeRun.ID_PREFIX);
    return Objects.equals(entry.event(), "run") && !isTraining;
  }

  /** Each kind of these runs that the pool has served: {@code MAIN-CLASS ISOLATION}. */
  public static Set<String> isolationsSince(Pool pool, int former) throws IOException {
    Set<String> isolations = new TreeSet<>();
    List<String> journal = Journal.history(pool.directory());
    for (String line : journal.subList(former, journal.size())) {
      JournalEntry entry = JournalEntry.parse(line);
      if (isRunOfAUser(entry) && entry.isolation() != null) {
        isolations.add(entry.text("main_class") + " " + entry.isolation().word());
      }
    }
    return isolations;
  }
}
