// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.concurrent.CountDownLatch;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;

/**
 * Ends while a listener is told of a collection or of a full memory pool, as its argument says:
 * waiting, or computing inside of the class library or outside of it.
 */
public class Listeners {
  private static final CountDownLatch TOLD = new CountDownLatch(1);
  private static volatile int computed;

  private static NotificationListener listener(String does) {
    return (notification, handback) -> {
      TOLD.countDown();
      try {
        while (true) {
          if (does.equals("waits")) {
            Thread.sleep(60_000);
          } else if (does.equals("asks")) {
            computed += ManagementFactory.getThreadMXBean().getThreadCount();
          } else {
            computed++;
          }
        }
      } catch (Throwable e) {
        System.out.println("the listener has been interrupted: " + e);
      } finally {
        System.out.println("the listener has ended");
      }
    };
  }

  private static void listen(NotificationEmitter emitter, String does) {
    emitter.addNotificationListener(listener(does), null, null);
  }

  public static void main(String... args) throws Exception {
    if (args[0].equals("collection")) {
      ManagementFactory.getGarbageCollectorMXBeans()
          .forEach(bean -> listen((NotificationEmitter) bean, args[1]));
    } else {
      listen((NotificationEmitter) ManagementFactory.getMemoryMXBean(), args[1]);
    }
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP && pool.isUsageThresholdSupported()) {
        pool.setUsageThreshold(1);
      }
    }
    for (int i = 0; i < 5; i++) {
      System.gc();
    }
    TOLD.await();
    System.out.println("told");
    System.exit(7);
  }
}
