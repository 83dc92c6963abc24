// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.util.Optional;

/** The class library's own library for functions of the C library. */
public class SystemLookups extends Kind {
  private static boolean has(String function) throws Exception {
    Object lookup =
        Class.forName("jdk.incubator.foreign.CLinker").getMethod("systemLookup").invoke(null);
    return ((Optional<?>)
            Class.forName("jdk.incubator.foreign.SymbolLookup")
                .getMethod("lookup", String.class)
                .invoke(lookup, function))
        .isPresent();
  }

  @Override
  protected void dirty() throws Exception {
    KEPT.add(has("strlen"));
  }

  @Override
  protected void probe() {
    show("strlen", () -> has("strlen"));
    show("none", () -> has("noSuchFunction"));
  }
}
