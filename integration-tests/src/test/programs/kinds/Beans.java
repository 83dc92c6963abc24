// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import com.sun.management.GarbageCollectorMXBean;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.ObjectName;

/** What the VM keeps for management beans and diagnostic commands. */
public class Beans extends Kind {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private static List<GarbageCollectorMXBean> collectors() {
    return ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class);
  }

  private static String command(String operation, String... arguments) throws Exception {
    return (String)
        ManagementFactory.getPlatformMBeanServer()
            .invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"),
                operation,
                new Object[] {arguments},
                new String[] {String[].class.getName()});
  }

  @Override
  protected void dirty() throws Exception {
    NotificationListener listener = (n, o) -> System.out.println("WRONG: heard of " + n.getType());
    CountDownLatch heard = new CountDownLatch(1);
    for (GarbageCollectorMXBean collector : collectors()) {
      ((NotificationEmitter) collector)
          .addNotificationListener((n, o) -> heard.countDown(), null, null);
    }
    System.gc();
    heard.await();
    for (GarbageCollectorMXBean collector : collectors()) {
      ((NotificationEmitter) collector).addNotificationListener(listener, null, null);
    }
    NotificationEmitter memory = (NotificationEmitter) ManagementFactory.getMemoryMXBean();
    memory.addNotificationListener((n, o) -> {}, null, null);
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.isUsageThresholdSupported()) {
        pool.setUsageThreshold(1);
      }
      if (pool.isCollectionUsageThresholdSupported()) {
        pool.setCollectionUsageThreshold(1);
      }
    }
    THREADS.setThreadContentionMonitoringEnabled(true);
    THREADS.setThreadCpuTimeEnabled(false);
    ((com.sun.management.ThreadMXBean) THREADS).setThreadAllocatedMemoryEnabled(false);
    for (int i = 0; i < 20; i++) {
      new Thread(() -> {}).start();
    }
    command("vmLog", "output=file-of-the-vm.log", "what=all=info");
    ManagementFactory.getClassLoadingMXBean().setVerbose(false);
    ManagementFactory.getMemoryMXBean().setVerbose(true);
  }

  @Override
  protected void probe() throws Exception {
    show("collections", () -> collectors().stream().map(c -> c.getCollectionCount()).toList());
    show("last collection", () -> collectors().stream().map(c -> c.getLastGcInfo()).toList());
    show("started threads", THREADS::getTotalStartedThreadCount);
    show("peak of threads", THREADS::getPeakThreadCount);
    show("contention", () -> THREADS.getThreadInfo(1).getBlockedTime());
    show("CPU time", THREADS::isThreadCpuTimeEnabled);
    show(
        "allocated memory",
        ((com.sun.management.ThreadMXBean) THREADS)::isThreadAllocatedMemoryEnabled);
    ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
    show("verbose", () -> classes.isVerbose() + " " + ManagementFactory.getMemoryMXBean().isVerbose());
    show("log", () -> command("vmLog", "list").replaceAll("(?s).*Log output configuration:", "")
        .replace(" (reconfigured)", ""));
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
                      ? pool.getCollectionUsageThreshold() + " " + pool.getCollectionUsageThresholdCount()
                      : "-"));
    }
    Thread.sleep(50);
  }
}
