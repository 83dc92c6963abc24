// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.util.HashSet;
import java.util.Set;

/** Identity hash codes: they order hash tables, and are the same in each run of a stock JVM. */
public class Hashes extends Kind {
  @Override
  @SuppressWarnings("ReturnValueIgnored")
  protected void dirty() throws Exception {
    for (int i = 0; i < 1000; i++) {
      new Object().hashCode();
    }
    new Thread(() -> new Object().hashCode()).start();
  }

  @Override
  protected void probe() throws Exception {
    show("objects", () -> new Object() + " " + new Object());
    Set<Object> set = new HashSet<>();
    for (int i = 0; i < 10; i++) {
      String name = "object " + i;
      set.add(
          new Object() {
            @Override
            public String toString() {
              return name;
            }
          });
    }
    show("order", () -> set);
  }
}
