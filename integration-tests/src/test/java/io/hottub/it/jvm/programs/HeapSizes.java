// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells how the heap is divided and what collections have left of it; then has the collector change
 * that, by as many young kilobytes as the first argument says, and megabytes as the second says.
 */
public class HeapSizes {
  private static final int ALLOCATED = 200_000;

  public static void main(String[] args) {
    Runtime runtime = Runtime.getRuntime();
    System.out.println(runtime.totalMemory() + " of " + runtime.maxMemory());
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      System.out.println(collector.getName() + ": " + collector.getCollectionCount());
    }
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP) {
        System.out.println(
            pool.getName()
                + (pool.getName().startsWith("G1")
                    ? "" // by what was learned of pauses
                    : sizes(pool.getUsage()) + "; most: " + sizes(pool.getPeakUsage()))
                + "; collected: "
                + pool.getCollectionUsage());
      }
    }
    ArrayDeque<byte[]> young = new ArrayDeque<>();
    for (int i = 0; i < ALLOCATED; i++) {
      young.add(new byte[1000]);
      if (young.size() > Integer.parseInt(args[0])) {
        young.poll();
      }
    }
    List<byte[]> kept = new ArrayList<>();
    for (int i = 0; i < Integer.parseInt(args[1]); i++) {
      kept.add(new byte[1 << 20]);
    }
    System.out.println(young.size() + " and " + kept.size());
  }

  private static String sizes(MemoryUsage usage) {
    return " %d, %d of %d".formatted(usage.getInit(), usage.getCommitted(), usage.getMax());
  }
}
