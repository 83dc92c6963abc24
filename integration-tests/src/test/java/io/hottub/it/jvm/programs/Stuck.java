// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** Exits while threads of it cannot go on; the argument says why. */
public class Stuck {
  private static final CyclicBarrier BARRIER = new CyclicBarrier(2);

  private static void meet() {
    try {
      BARRIER.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      System.out.println("WRONG: " + e);
    }
  }

  static class First {
    static int value;

    static {
      meet();
      value = Second.value;
    }
  }

  static class Second {
    static int value;

    static {
      meet();
      value = First.value;
    }
  }

  private static Thread start(Runnable code) {
    Thread thread = new Thread(code);
    thread.start();
    return thread;
  }

  private static void enter(Object first, Object second) {
    synchronized (first) {
      meet();
      synchronized (second) {
        System.out.println("WRONG: not stuck");
      }
    }
  }

  @SuppressWarnings("removal")
  public static void main(String[] args) throws Exception {
    Thread main = Thread.currentThread();
    switch (args[0]) {
      case "suspended" -> {
        Thread busy =
            start(
                () -> {
                  while (true) {}
                });
        Thread.sleep(50);
        busy.suspend();
      }
      case "main" -> {
        start(
            () -> {
              main.suspend();
              System.out.println("suspended");
              System.exit(3);
            });
        while (true) {}
      }
      case "monitors" -> {
        Object first = new Object();
        Object second = new Object();
        start(() -> enter(first, second));
        start(() -> enter(second, first));
        Thread.sleep(200);
      }
      default -> {
        start(() -> First.value++);
        start(() -> Second.value++);
        Thread.sleep(200);
      }
    }
    System.out.println("exits");
    System.exit(3);
  }
}
