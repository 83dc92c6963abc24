// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * What a run was for its caller.
 *
 * @param status exit status; 128 and the number for a death by signal
 * @param out bytes of standard output, one char each
 * @param err bytes of standard error, one char each
 */
public record Outcome(int status, String out, String err) {
  /** With its two texts rewritten, to leave out what differs between any two processes. */
  public Outcome normalised(UnaryOperator<String> rule) {
    return new Outcome(status, rule.apply(out), rule.apply(err));
  }

  /** Each line that differs, in both versions, so that one failure does not hide another. */
  public List<String> differences(Outcome stock) {
    String[] expected = stock.toString().split("\n", -1);
    String[] seen = toString().split("\n", -1);
    List<String> differences = new ArrayList<>();
    for (int i = 0; i < Math.max(expected.length, seen.length); i++) {
      String e = i < expected.length ? expected[i] : "nothing";
      String s = i < seen.length ? seen[i] : "nothing";
      if (!e.equals(s)) {
        differences.add("stock:  " + e + "\n  pooled: " + s);
      }
    }
    return differences;
  }

  @Override
  public String toString() {
    return "status %d%n--- out%n%s%n--- err%n%s%n---".formatted(status, out, err);
  }
}
