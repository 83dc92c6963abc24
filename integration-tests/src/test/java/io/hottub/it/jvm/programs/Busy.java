// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;

/**
 * Keeps the VM's own threads busy, and exits in the middle of it: timers, two executors and the
 * pool of streams are at work, methods wait to be compiled, and memory to be collected. Argument:
 * how many milliseconds it lasts.
 */
public class Busy {
  private static volatile Object garbage;
  private static volatile int sum;

  private static void allocate(int kept) {
    List<byte[]> all = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      byte[] bytes = new byte[2000];
      garbage = bytes;
      if (i % kept == 0) {
        all.add(bytes);
      }
    }
    garbage = all;
  }

  /** Each lambda has a class and code of its own. */
  private static void compute() {
    IntUnaryOperator[] all = {
      i -> i * 31 + 7, i -> i ^ (i >>> 3), i -> i % 1009, i -> Integer.reverse(i), i -> i - sum
    };
    int value = 1;
    for (int i = 0; i < 20_000; i++) {
      value = all[i % all.length].applyAsInt(value);
    }
    sum = value;
  }

  public static void main(String[] args) throws Exception {
    Timer timer = new Timer("ticks");
    timer.schedule(
        new TimerTask() {
          @Override
          public void run() {
            compute();
          }
        },
        1,
        2);
    var scheduled = Executors.newScheduledThreadPool(2);
    for (int i = 1; i <= 4; i++) {
      int kept = i * 7;
      scheduled.scheduleAtFixedRate(() -> allocate(kept), i, 3, TimeUnit.MILLISECONDS);
    }
    var cached = Executors.newCachedThreadPool();
    for (int i = 0; i < 4; i++) {
      cached.execute(
          () -> {
            while (sum != Integer.MIN_VALUE) {
              ForkJoinPool.commonPool().submit(Busy::compute).join();
            }
          });
    }
    Thread.sleep(Long.parseLong(args[0]));
    System.out.println("busy");
    System.exit(5);
  }
}
