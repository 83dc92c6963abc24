// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;

/** What management tells of the use that threads have made of the JVM. */
public class ThreadUse extends Kind {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** More than a run has allocated that shows all this. */
  private static final long LARGE = 64L << 20;

  private static final int ROUNDS = 20;

  /** The kernel counts the time of user code in such steps. */
  private static final long TICK_NS = 10_000_000;

  private static Object sink;

  private static void allocate() {
    for (int i = 0; i < LARGE / 1000; i++) {
      sink = new byte[1000];
    }
  }

  @Override
  protected void dirty() throws Exception {
    Object lock = new Object();
    for (int i = 0; i < ROUNDS; i++) {
      synchronized (lock) {
        lock.wait(1);
      }
      Thread blocking = blocking(lock);
      synchronized (lock) { // blocked by the thread, or the thread by this
        Thread.sleep(1);
      }
      blocking.join();
    }
    Thread allocating = new Thread(ThreadUse::allocate);
    allocating.start();
    allocating.join();
    allocate();
    long begin = THREADS.getCurrentThreadCpuTime();
    while (THREADS.getCurrentThreadCpuTime() - begin < 100 * TICK_NS) {
      sink = new int[1];
    }
    THREADS.getTotalThreadAllocatedBytes(); // is never less afterwards
  }

  private static Thread blocking(Object lock) throws InterruptedException {
    Thread blocking =
        new Thread(
            () -> {
              synchronized (lock) {
                try {
                  Thread.sleep(2);
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              }
            });
    blocking.start();
    Thread.sleep(1);
    return blocking;
  }

  @Override
  protected void probe() {
    long main = Thread.currentThread().getId();
    long[] ids = {main};
    // Process time is the run's.
    long total = THREADS.getThreadCpuTime(main);
    long user = THREADS.getThreadUserTime(main);
    long totals = THREADS.getThreadCpuTime(ids)[0];
    long users = THREADS.getThreadUserTime(ids)[0];
    long process =
        ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    show("main", () -> main);
    show("time", () -> total >= 0 && total <= process && totals >= total && totals <= process);
    show("user time", () -> user >= 0 && user <= process + TICK_NS && users >= user);
    show("user time of several", () -> users <= process + TICK_NS);
    show("time of no thread", () -> THREADS.getThreadCpuTime(1 << 30));
    show("user time of no thread", () -> THREADS.getThreadUserTime(1 << 30));
    show("time of thread 0", () -> THREADS.getThreadCpuTime(0));
    show("allocated", () -> THREADS.getThreadAllocatedBytes(main) < LARGE);
    show("allocated by all", () -> THREADS.getTotalThreadAllocatedBytes() < LARGE);
    ThreadInfo info = THREADS.getThreadInfo(main);
    show("blocked", info::getBlockedCount);
    show("waited", info::getWaitedCount);
    show(
        "grows",
        () -> {
          long before = THREADS.getTotalThreadAllocatedBytes();
          long time = THREADS.getCurrentThreadCpuTime();
          allocate();
          return THREADS.getTotalThreadAllocatedBytes() - before >= LARGE
              && THREADS.getThreadAllocatedBytes(main) >= LARGE
              && THREADS.getCurrentThreadCpuTime() > time;
        });
  }
}
