// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.lang.management.ManagementFactory;

/** Makes the VM warn in its log, and then prints how many milliseconds the run has lasted. */
public class Strains {
  public static void main(String[] args) {
    try {
      new Thread(null, () -> {}, "large", 1L << 46).start();
    } catch (OutOfMemoryError e) {
      System.out.println(e.getMessage());
    }
    System.out.println(ManagementFactory.getRuntimeMXBean().getUptime());
  }
}
