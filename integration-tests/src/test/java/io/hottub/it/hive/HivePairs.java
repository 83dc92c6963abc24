// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.hive;

import io.hottub.it.harness.HiveSession;
import java.util.ArrayList;
import java.util.List;

/** Sessions on stock JVMs and on HotTub, in pairs, and what each statement took. */
final class HivePairs {
  private final List<HiveSession> stock = new ArrayList<>();
  private final List<HiveSession> hottub = new ArrayList<>();

  void add(HiveSession onStock, HiveSession onHotTub) {
    stock.add(onStock);
    hottub.add(onHotTub);
  }

  /** Medians of wall times in seconds, statement by statement. */
  String table() {
    StringBuilder table = new StringBuilder("| statement | stock, s | HotTub, s | ratio |\n");
    table.append("|---|---|---|---|\n");
    for (String statement : stock.get(0).millis().keySet()) {
      double before = median(stock, statement);
      double after = median(hottub, statement);
      table.append(
          "| %s | %.1f | %.1f | %.2f |%n".formatted(statement, before, after, before / after));
    }
    return table.toString();
  }

  private static double median(List<HiveSession> sessions, String statement) {
    long[] millis =
        sessions.stream().mapToLong(session -> session.millis().get(statement)).sorted().toArray();
    int middle = millis.length / 2;
    double median =
        millis.length % 2 == 1 ? millis[middle] : (millis[middle - 1] + millis[middle]) / 2.0;
    return median / 1000;
  }
}
