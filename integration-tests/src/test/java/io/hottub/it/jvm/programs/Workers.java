// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Ends while threads of a pool work, each with the lock of its worker, and the VM is busy. */
public class Workers {
  private static final int WORKERS = 2;

  // The VM's service thread cleans its table of strings for as long as a run needs to end.
  private static final int STRINGS = 1_000_000;

  public static void main(String[] args) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(WORKERS, Workers::daemon);
    CountDownLatch working = new CountDownLatch(WORKERS);
    for (int i = 0; i < WORKERS; i++) {
      pool.execute(() -> work(working));
    }
    working.await();
    long length = 0;
    for (int i = 0; i < STRINGS; i++) {
      length += ("string " + i).intern().length();
    }
    System.gc();
    System.out.println(length > STRINGS ? "all there" : "missing");
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    return thread;
  }

  private static void work(CountDownLatch working) {
    working.countDown();
    try {
      Thread.sleep(Long.MAX_VALUE);
    } catch (InterruptedException e) {
      System.out.println("interrupted");
    }
  }
}
