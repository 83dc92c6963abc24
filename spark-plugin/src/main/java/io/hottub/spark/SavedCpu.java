// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.spark;

import io.hottub.protocol.JournalEntry;
import io.hottub.protocol.ProtocolException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What warm leases of a program have saved, as far as the journal of the pool still has them: CPU
 * time of the first lease of a JVM less the median of those that found a warm one. An estimate:
 * they may have had different work.
 */
final class SavedCpu {
  static final String TEXT = ", warm-up saved: %.1f s of CPU in the median of leases before";

  private final String fingerprint;
  private final String mainClass;

  /**
   * @param run journal entry of a run of the program
   */
  SavedCpu(JournalEntry run) {
    fingerprint = run.text("fingerprint");
    mainClass = run.text("main_class");
  }

  /** Empty if the journal has no first lease or no warm one, or if nothing was saved. */
  Optional<Double> seconds(List<String> journal) {
    Long first = null;
    List<Long> warm = new ArrayList<>();
    for (String line : journal) {
      Optional<JournalEntry> end = endOfProgram(line);
      Long cpuUs = end.map(entry -> entry.number("cpu_us")).orElse(null);
      if (cpuUs == null) {
        continue;
      }
      if (isReset(end.get()) && Objects.equals(end.get().number("run"), 1L)) {
        first = cpuUs;
      } else {
        warm.add(cpuUs);
      }
    }
    if (first == null || warm.isEmpty()) {
      return Optional.empty();
    }
    Collections.sort(warm);
    double saved = (first - warm.get(warm.size() / 2)) / 1e6;
    return saved > 0 ? Optional.of(saved) : Optional.empty();
  }

  private static boolean isReset(JournalEntry entry) {
    return entry.event().equals("reset");
  }

  /** Of a clone, all of which was for one run, its own end. */
  private Optional<JournalEntry> endOfProgram(String line) {
    if (!line.contains("\"cpu_us\":") || fingerprint == null || !line.contains(fingerprint)) {
      return Optional.empty();
    }
    try {
      JournalEntry entry = JournalEntry.parse(line);
      return Optional.of(entry).filter(e -> Objects.equals(e.text("main_class"), mainClass));
    } catch (ProtocolException e) {
      return Optional.empty();
    }
  }
}
