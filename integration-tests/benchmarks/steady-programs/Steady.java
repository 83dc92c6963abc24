// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.Callable;

/**
 * Repeats one piece of work in this process: first until it is compiled, then with the time taken.
 */
final class Steady {
  /**
   * Arguments: seconds to warm up, seconds to measure. Writes a line for each measured iteration,
   * of which there are five at least, and the result, which has to be the same every time.
   */
  static void run(String[] args, Callable<Object> work) throws Exception {
    long warm = System.nanoTime() + (long) (Double.parseDouble(args[0]) * 1e9);
    long end = warm + (long) (Double.parseDouble(args[1]) * 1e9);
    Object first = work.call();
    long before = System.nanoTime();
    for (int measured = 0; before < end || measured < 5; ) {
      Object result = work.call();
      long now = System.nanoTime();
      if (!result.equals(first)) {
        throw new AssertionError("first " + first + ", then " + result);
      }
      if (before >= warm) {
        measured++;
        System.out.println("time " + (now - before));
      }
      before = now;
    }
    System.out.println("result " + first);
  }

  private Steady() {}
}
