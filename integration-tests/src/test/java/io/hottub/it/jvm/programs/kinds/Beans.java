// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import com.sun.management.GarbageCollectorMXBean;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;

/** What the VM keeps for management beans and diagnostic commands. */
public class Beans extends Kind {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private static final ThreadLocal<Object> LOCAL = new ThreadLocal<>();

  /** Another one in each run. */
  private static final Object RUN = new Object();

  /** More than a JVM uses that has only just started. */
  private static final int LARGE = 100 << 20;

  private static List<GarbageCollectorMXBean> collectors() {
    return ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class);
  }

  private static boolean isHeap(MemoryPoolMXBean pool) {
    return pool.getType() == MemoryType.HEAP;
  }

  /** Whether the VM notices that the heap is over its thresholds. */
  private static String crossed() throws Exception {
    StringBuilder crossed = new StringBuilder();
    setThresholds();
    System.gc();
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (isHeap(pool) && pool.isUsageThresholdSupported() && pool.isUsageThresholdExceeded()) {
        crossed.append(count(pool::getUsageThresholdCount));
      }
      if (isHeap(pool)
          && pool.isCollectionUsageThresholdSupported()
          && pool.isCollectionUsageThresholdExceeded()) {
        crossed.append(count(pool::getCollectionUsageThresholdCount));
      }
    }
    return crossed.toString();
  }

  /** A thread of the VM counts. */
  private static String count(LongSupplier count) throws Exception {
    for (int i = 0; i < 1000 && count.getAsLong() == 0; i++) {
      Thread.sleep(1);
    }
    return count.getAsLong() > 0 ? "x" : "-";
  }

  private static void setThresholds() {
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.isUsageThresholdSupported()) {
        pool.setUsageThreshold(1);
      }
      if (pool.isCollectionUsageThresholdSupported()) {
        pool.setCollectionUsageThreshold(1);
      }
    }
  }

  @Override
  protected void dirty() throws Exception {
    Object own = RUN;
    NotificationListener listener =
        (n, o) -> {
          if (RUN != own) {
            System.out.println("WRONG: heard of " + n.getType());
          }
        };
    CountDownLatch heard = new CountDownLatch(1);
    for (GarbageCollectorMXBean collector : collectors()) {
      ((NotificationEmitter) collector)
          .addNotificationListener(
              (n, o) -> {
                LOCAL.set(new Beans()); // on a thread of the VM
                heard.countDown();
              },
              null,
              null);
    }
    KEPT.add(new byte[LARGE]);
    setThresholds();
    System.gc();
    heard.await();
    for (GarbageCollectorMXBean collector : collectors()) {
      ((NotificationEmitter) collector).addNotificationListener(listener, null, null);
    }
    NotificationEmitter memory = (NotificationEmitter) ManagementFactory.getMemoryMXBean();
    memory.addNotificationListener((n, o) -> {}, null, null);
    THREADS.setThreadContentionMonitoringEnabled(true);
    THREADS.setThreadCpuTimeEnabled(false);
    ((com.sun.management.ThreadMXBean) THREADS).setThreadAllocatedMemoryEnabled(false);
    for (int i = 0; i < 20; i++) {
      new Thread(() -> {}).start();
    }
    command("vmLog", "output=file-of-the-vm.log", "what=all=info");
    ManagementFactory.getClassLoadingMXBean().setVerbose(false);
    ManagementFactory.getMemoryMXBean().setVerbose(true);
    Path directives = Path.of("directives");
    Files.writeString(directives, "[{match: \"no/Such.method\", Exclude: true}]");
    command("compilerDirectivesAdd", directives.toString());
  }

  @Override
  protected void probe() throws Exception {
    show("collections", () -> collectors().stream().map(c -> c.getCollectionCount()).toList());
    show("last collection", () -> collectors().stream().map(c -> c.getLastGcInfo()).toList());
    show("unloaded", ManagementFactory.getClassLoadingMXBean()::getUnloadedClassCount);
    show("started threads", THREADS::getTotalStartedThreadCount);
    show("peak of threads", THREADS::getPeakThreadCount);
    show("contention", () -> THREADS.getThreadInfo(1).getBlockedTime());
    show("CPU time", THREADS::isThreadCpuTimeEnabled);
    show(
        "allocated memory",
        ((com.sun.management.ThreadMXBean) THREADS)::isThreadAllocatedMemoryEnabled);
    ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
    show(
        "verbose",
        () -> classes.isVerbose() + " " + ManagementFactory.getMemoryMXBean().isVerbose());
    show(
        "log",
        () ->
            command("vmLog", "list")
                .replaceAll("(?s).*Log output configuration:", "")
                .replace(" (reconfigured)", ""));
    show("directives", () -> command("compilerDirectivesPrint"));
    show(
        "peak of the heap",
        () ->
            ManagementFactory.getMemoryPoolMXBeans().stream()
                    .filter(Beans::isHeap)
                    .mapToLong(pool -> pool.getPeakUsage().getUsed())
                    .sum()
                < LARGE);
    System.gc(); // the listeners of former runs would hear of it
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      show(
          pool.getName(),
          () ->
              (pool.isUsageThresholdSupported()
                      ? pool.getUsageThreshold() + " " + pool.getUsageThresholdCount()
                      : "-")
                  + " "
                  + (pool.isCollectionUsageThresholdSupported()
                      ? pool.getCollectionUsageThreshold()
                          + " "
                          + pool.getCollectionUsageThresholdCount()
                      : "-"));
    }
    show("crossed", Beans::crossed);
    Thread.sleep(50);
  }
}
