// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.hive;

import io.hottub.it.harness.HiveSession;
import io.hottub.report.Stats;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/** Sessions on stock JVMs and on HotTub, in pairs, and what each statement took. */
final class HivePairs {
  /**
   * A session that has ended.
   *
   * @param cpuMillis of its client and its containers, to the end of what they leave to be done
   */
  record Timed(HiveSession session, long cpuMillis) {}

  private final List<Timed> stock = new ArrayList<>();
  private final List<Timed> hottub = new ArrayList<>();

  void add(Timed onStock, Timed onHotTub) {
    stock.add(onStock);
    hottub.add(onHotTub);
  }

  /**
   * Medians in seconds: wall times, statement by statement, and the processor time of all; the
   * ratio of the medians, and the smallest and the largest of a pair.
   */
  String table() {
    StringBuilder table =
        new StringBuilder("| statement | stock, s | HotTub, s | ratio | of the pairs |\n");
    table.append("|---|---|---|---|---|\n");
    for (String statement : stock.get(0).session().millis().keySet()) {
      table.append(row(statement, timed -> timed.session().millis().get(statement)));
    }
    return table + row("processor time", Timed::cpuMillis);
  }

  private String row(String what, ToLongFunction<Timed> millis) {
    double before = median(stock, millis);
    double after = median(hottub, millis);
    double[] ratios =
        IntStream.range(0, stock.size())
            .mapToDouble(
                pair ->
                    (double) millis.applyAsLong(stock.get(pair))
                        / millis.applyAsLong(hottub.get(pair)))
            .sorted()
            .toArray();
    return "| %s | %.1f | %.1f | %.2f | %.2f-%.2f |%n"
        .formatted(what, before, after, before / after, ratios[0], ratios[ratios.length - 1]);
  }

  private static double median(List<Timed> sessions, ToLongFunction<Timed> value) {
    return Stats.median(sessions.stream().mapToDouble(value::applyAsLong).toArray()) / 1000;
  }
}
