// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.pool;

import java.util.LinkedHashMap;
import java.util.Map;

/** What is known of names that others give, which may be any number. */
public final class Remembered {
  private Remembered() {}

  /** A map that forgets the oldest entry when there are more. */
  public static <K, V> Map<K, V> atMost(int max) {
    return new LinkedHashMap<>() {
      private static final long serialVersionUID = 1;

      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > max;
      }
    };
  }
}
