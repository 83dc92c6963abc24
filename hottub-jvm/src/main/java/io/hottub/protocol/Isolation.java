// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.util.Arrays;
import java.util.Optional;

/**
 * What a run has in common with those before it; {@code docs/clones.md} says when to choose what.
 */
public enum Isolation {
  /** The process: it is reset between runs. */
  REUSE("reuse"),

  /** A copy of a trained process, which ends with the run. */
  CLONE("clone"),

  /** A copy of a process in which nothing has run but recipes. */
  STRICT("strict");

  private final String word;

  Isolation(String word) {
    this.word = word;
  }

  /** The name in settings, in the environment, in trace and journal. */
  public String word() {
    return word;
  }

  /** Whether a run has a copy of its own, which ends with it. */
  public boolean isCopy() {
    return this != REUSE;
  }

  /** Empty if no isolation has that name. */
  public static Optional<Isolation> of(String word) {
    return Arrays.stream(values()).filter(one -> one.word.equals(word)).findFirst();
  }
}
