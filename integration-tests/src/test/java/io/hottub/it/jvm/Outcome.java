// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

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
  Outcome normalised(UnaryOperator<String> rule) {
    return new Outcome(status, rule.apply(out), rule.apply(err));
  }

  @Override
  public String toString() {
    return "status %d%n--- out%n%s%n--- err%n%s%n---".formatted(status, out, err);
  }
}
