// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.util.TreeMap;

/** The system properties as they are when all are taken from the VM again. */
public class FirstProperties extends Kind {
  @Override
  protected void dirty() {
    System.setProperty("more", "dirty");
    System.setProperty("user.dir", "/dirty");
    System.setProperties(null);
    System.setProperty("more", "dirty");
  }

  @Override
  protected void probe() {
    show("order", () -> System.getProperties().keySet());
    System.setProperties(null);
    show("order again", () -> System.getProperties().keySet());
    new TreeMap<>(System.getProperties())
        .forEach((name, value) -> show(name.toString(), () -> value));
  }
}
