// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Repeats one piece of work in this process: first until it is compiled and takes the same time
 * again and again, then with the time taken.
 */
final class Steady {
  private static final double SECOND = 1e9;
  private static final double WINDOW_S = 4;
  private static final int WINDOWS = 3;
  private static final double FLAT = 1.02;
  private static final int LONGEST = 3;

  private final List<Long> window = new ArrayList<>();
  private final Deque<Long> medians = new ArrayDeque<>();
  private long windowBegin;

  /**
   * Arguments: seconds to warm up at least, seconds to measure. It is warm when the medians of the
   * last three windows of 4 s differ by no more than 2 %, or after three times the least time; with
   * 0 at once. Writes a line for each measured iteration, of which there are five at least, how
   * long it took to get warm, and the result, which has to be the same every time.
   */
  static void run(String[] args, Callable<Object> work) throws Exception {
    double least = Double.parseDouble(args[0]);
    double measure = Double.parseDouble(args[1]);
    Object first = work.call();
    Steady steady = new Steady();
    long begin = System.nanoTime();
    long before = begin;
    steady.windowBegin = begin;
    double warm = -1;
    for (int measured = 0;
        warm < 0 || before < begin + (warm + measure) * SECOND || measured < 5; ) {
      if (warm < 0 && steady.isWarm((before - begin) / SECOND, least)) {
        warm = (before - begin) / SECOND;
        System.out.printf("warm %.0f %s%n", warm, steady.isFlat() ? "flat" : "not flat");
      }
      Object result = work.call();
      long now = System.nanoTime();
      if (!result.equals(first)) {
        throw new AssertionError("first " + first + ", then " + result);
      }
      if (warm < 0) {
        steady.add(now - before, now);
      } else {
        measured++;
        System.out.println("time " + (now - before));
      }
      before = now;
    }
    System.out.println("result " + first);
  }

  private boolean isWarm(double seconds, double least) {
    return seconds >= least && (isFlat() || seconds >= LONGEST * least);
  }

  private boolean isFlat() {
    return medians.size() == WINDOWS && Collections.max(medians) <= FLAT * Collections.min(medians);
  }

  private void add(long time, long now) {
    window.add(time);
    if (now - windowBegin < WINDOW_S * SECOND) {
      return;
    }
    Collections.sort(window);
    medians.add(window.get(window.size() / 2));
    if (medians.size() > WINDOWS) {
      medians.remove();
    }
    window.clear();
    windowBegin = now;
  }

  private Steady() {}
}
