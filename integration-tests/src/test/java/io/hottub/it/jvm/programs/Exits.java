// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.CountDownLatch;

/** Ends in the way that its argument names. */
public class Exits {
  private static void hook(String text, Runnable more) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  System.out.println(text);
                  more.run();
                }));
  }

  private static void wrong(String what) {
    System.out.println("WRONG: " + what);
    System.out.flush();
  }

  private static void pause(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      wrong("interrupted");
    } finally {
      if (ms > 10_000) {
        wrong("finally of a sleep");
      }
    }
  }

  @SuppressWarnings("InfiniteRecursion") // exit ends it
  private static void exitUnder(Object lock, int depth) {
    synchronized (lock) {
      try {
        if (depth == 0) {
          System.exit(9);
        }
        exitUnder(new Object(), depth - 1);
        wrong("returned");
      } catch (Throwable e) {
        wrong("caught " + e);
      } finally {
        wrong("finally");
      }
    }
  }

  /** Threads in every kind of wait when the program exits: none of them may run on. */
  private static void exitWhileAllWait() throws Exception {
    Object monitor = new Object();
    Object contended = new Object();
    CountDownLatch ready = new CountDownLatch(6);
    CountDownLatch never = new CountDownLatch(1);
    Runnable[] waits = {
      () -> {
        synchronized (monitor) {
          ready.countDown();
          try {
            monitor.wait();
          } catch (InterruptedException e) {
            wrong("wait interrupted");
          }
        }
        wrong("wait returned");
      },
      () -> {
        ready.countDown();
        synchronized (contended) {
          wrong("got the monitor");
        }
      },
      () -> {
        ready.countDown();
        try {
          never.await();
        } catch (InterruptedException e) {
          wrong("await interrupted");
        }
        wrong("await returned");
      },
      () -> {
        ready.countDown();
        pause(1_000_000);
        wrong("sleep returned");
      },
      () -> {
        ready.countDown();
        long x = 0;
        try {
          while (true) {
            x += System.nanoTime();
          }
        } finally {
          wrong("loop ended " + x);
        }
      },
      () -> {
        try (var server =
            new java.net.ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
          ready.countDown();
          server.accept();
          wrong("accepted");
        } catch (java.io.IOException e) {
          wrong("accept: " + e);
        }
      }
    };
    synchronized (contended) {
      for (Runnable wait : waits) {
        new Thread(wait).start();
      }
      ready.await();
      pause(50);
      System.exit(12);
    }
  }

  private static Thread failing(Thread.UncaughtExceptionHandler handler) {
    Thread thread =
        new Thread(
            () -> {
              throw new IllegalStateException("thrown by a thread");
            });
    thread.setUncaughtExceptionHandler(handler);
    return thread;
  }

  private static class Starts {
    static {
      System.out.println("in <clinit>");
      System.exit(13);
    }

    static void touch() {}
  }

  public static void main(String[] args) throws Exception {
    hook("hook of " + args[0], () -> {});
    System.out.println("main of " + args[0]);
    switch (args[0]) {
      case "return":
        break;
      case "exit":
        try {
          System.exit(3);
        } catch (Throwable e) {
          wrong("caught " + e);
        } finally {
          wrong("finally");
        }
        break;
      case "exit-257":
        System.exit(257);
        break;
      case "exit-minus-1":
        System.exit(-1);
        break;
      case "exit-thread":
        new Thread(() -> System.exit(4)).start();
        pause(1_000_000);
        wrong("slept");
        break;
      case "exit-nested":
        exitUnder(new Object(), 40);
        break;
      case "exit-initializer":
        Starts.touch();
        wrong("initialized");
        break;
      case "exit-twice":
        for (int i = 0; i < 8; i++) {
          new Thread(() -> System.exit(7)).start();
        }
        pause(1_000_000);
        break;
      case "exit-while-all-wait":
        exitWhileAllWait();
        break;
      case "halt":
        Runtime.getRuntime().halt(6);
        wrong("halt returned");
        break;
      case "halt-in-hook":
        hook("hook that halts", () -> Runtime.getRuntime().halt(5));
        // The other hook may run or not.
        System.out.close();
        System.exit(1);
        break;
      case "exit-in-hook":
        // It waits for ever, as the documentation says.
        hook(
            "hook that exits",
            () -> {
              System.exit(5);
              wrong("exit returned");
            });
        System.exit(4);
        break;
      case "hook-throws":
        hook(
            "hook that throws",
            () -> {
              throw new IllegalStateException("thrown by a hook");
            });
        Thread.sleep(1);
        System.out.close();
        System.exit(8);
        break;
      case "uncaught":
        throw new IllegalStateException("thrown", new RuntimeException("cause"));
      case "uncaught-thread":
        Thread thread =
            new Thread(
                () -> {
                  throw new IllegalStateException("thrown by a thread");
                },
                "thrower");
        thread.start();
        thread.join();
        break;
      case "uncaught-while-others-run":
        new Thread(
                () -> {
                  pause(200);
                  System.out.println("other thread ends");
                })
            .start();
        throw new IllegalStateException("thrown early");
      case "uncaught-handler":
        Thread.setDefaultUncaughtExceptionHandler(
            (t, e) -> System.out.println(t.getName() + " died of " + e));
        throw new IllegalStateException("thrown");
      case "uncaught-handler-throws":
        Thread.setDefaultUncaughtExceptionHandler(
            (t, e) -> {
              throw new IllegalArgumentException("thrown by the handler");
            });
        throw new IllegalStateException("thrown");
      case "uncaught-handler-exits":
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> System.exit(11));
        throw new IllegalStateException("thrown");
      case "thread-handler-exits":
        failing((t, e) -> System.exit(14)).start();
        pause(1_000_000);
        break;
      case "thread-handler-halts":
        failing((t, e) -> Runtime.getRuntime().halt(15)).start();
        pause(1_000_000);
        break;
      case "thread-handler-waits":
        CountDownLatch inHandler = new CountDownLatch(1);
        Thread failing =
            failing(
                (t, e) -> {
                  inHandler.countDown();
                  pause(1_000_000);
                  wrong("handler");
                });
        failing.setDaemon(true);
        failing.start();
        inHandler.await();
        break;
      case "stack-overflow":
        overflow(0);
        break;
      case "stack-overflow-caught":
        overflowEverywhere();
        break;
      case "out-of-memory":
        long[][] all = new long[1 << 20][];
        for (int i = 0; i < all.length; i++) {
          all[i] = new long[1 << 20];
        }
        break;
      case "last-thread":
        Thread last =
            new Thread(
                () -> {
                  pause(200);
                  System.out.println("last thread ends");
                });
        last.start();
        Thread daemon =
            new Thread(
                () -> {
                  pause(1_000_000);
                  wrong("daemon");
                });
        daemon.setDaemon(true);
        daemon.start();
        break;
      default:
        throw new IllegalArgumentException(args[0]);
    }
  }

  private static class Overflows {
    static final int VALUE = overflow(0);
  }

  private static boolean overflows() {
    try {
      return overflow(0) < 0;
    } catch (StackOverflowError e) {
      return true;
    }
  }

  /** In main, twice, in other threads, and in an initializer. */
  @SuppressWarnings("IdentityBinaryExpression")
  private static void overflowEverywhere() throws InterruptedException {
    System.out.println(overflows() && overflows());
    for (int i = 0; i < 3; i++) {
      Thread thread = new Thread(() -> System.out.println(overflows() && overflows()));
      thread.start();
      thread.join();
    }
    for (int i = 0; i < 2; i++) {
      try {
        System.out.println(Overflows.VALUE);
      } catch (StackOverflowError | NoClassDefFoundError e) {
        System.out.println(e.getClass());
      }
    }
  }

  @SuppressWarnings("InfiniteRecursion")
  private static int overflow(int depth) {
    return overflow(depth + 1) + 1;
  }
}
