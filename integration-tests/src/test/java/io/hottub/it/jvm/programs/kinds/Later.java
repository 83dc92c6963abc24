// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.util.function.Supplier;

/** The test moves this class out of the class path. */
public class Later implements Supplier<String> {
  private static int uses;

  @Override
  public String get() {
    return "one " + ++uses;
  }

  /** A call site, and a hidden class that belongs to this one. */
  public static Supplier<String> lambda() {
    int seen = uses;
    return () -> Later.class.getSimpleName() + " saw " + seen;
  }
}
