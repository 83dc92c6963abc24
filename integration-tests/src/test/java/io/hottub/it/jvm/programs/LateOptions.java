// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/** Shows an option to which C2 writes, for a second. */
public class LateOptions {
  public static void main(String[] args) throws Exception {
    HotSpotDiagnosticMXBean vm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    for (int look = 0; look <= 20; look++) {
      System.out.println(vm.getVMOption("LoopMaxUnroll"));
      Thread.sleep(50);
    }
  }
}
