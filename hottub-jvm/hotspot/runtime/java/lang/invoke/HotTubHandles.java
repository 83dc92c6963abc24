// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
package java.lang.invoke;

import java.util.Iterator;
import jdk.internal.misc.Unsafe;

/** Method handles that the class library keeps beyond a run. */
public final class HotTubHandles {
  private HotTubHandles() {}

  /**
   * Forgets those of static fields that constant pools have led to: once called, they do not look
   * any more whether the class of the field is initialised. Those of methods look on entry.
   */
  public static void forgetAccessors() {
    if (Unsafe.getUnsafe().shouldBeInitialized(MethodHandles.Lookup.class)) {
      return; // no run has used any
    }
    Iterator<DirectMethodHandle> all = MethodHandles.Lookup.LOOKASIDE_TABLE.values().iterator();
    while (all.hasNext()) {
      if (all.next() instanceof DirectMethodHandle.StaticAccessor) {
        all.remove();
      }
    }
  }
}
