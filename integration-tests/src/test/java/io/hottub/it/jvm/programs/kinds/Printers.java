// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import javax.print.PrintService;
import javax.print.PrintServiceLookup;

/** The library of CUPS, which the class library opens where there is one. */
public class Printers extends Kind {
  private static String services() {
    PrintService[] all = PrintServiceLookup.lookupPrintServices(null, null);
    return all.length + " " + PrintServiceLookup.lookupDefaultPrintService();
  }

  @Override
  protected void dirty() {
    KEPT.add(services());
  }

  @Override
  protected void probe() {
    show("services", Printers::services);
  }
}
