// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.log;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** Troubles of the same kind that several have, each for itself. Not for use by two threads. */
public final class Troubles<K> {
  private final Function<K, Trouble> kind;
  private final Map<K, Trouble> on = new HashMap<>();

  /**
   * Nobody is in trouble.
   *
   * @param kind the trouble of one of them
   */
  public Troubles(Function<K, Trouble> kind) {
    this.kind = kind;
  }

  /**
   * Those who are in trouble now, and nobody else.
   *
   * @param causes of each
   */
  public void are(Map<K, ? extends Throwable> causes) {
    on.entrySet()
        .removeIf(
            entry -> {
              boolean isOver = !causes.containsKey(entry.getKey());
              if (isOver) {
                entry.getValue().isOver();
              }
              return isOver;
            });
    causes.forEach((who, cause) -> on.computeIfAbsent(who, kind).is(cause));
  }
}
