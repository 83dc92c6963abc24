// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.ForkJoinPool;

/** What a JVM may use, as it sees it. */
public final class Limits {
  private Limits() {}

  public static void main(String[] args) {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    System.out.printf(
        "%d processors, %d in the common pool, heap %d, memory %d%n",
        Runtime.getRuntime().availableProcessors(),
        ForkJoinPool.getCommonPoolParallelism(),
        Runtime.getRuntime().maxMemory(),
        system.getTotalMemorySize());
  }
}
