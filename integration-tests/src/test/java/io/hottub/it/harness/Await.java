// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

/** Waiting for what another process does. */
public final class Await {
  /** On a busy machine, too. */
  static final Duration LONGEST = Duration.ofMinutes(3);

  private static final long POLL_MS = 50;

  private Await() {}

  /** Polls until a condition holds; a condition that throws does not hold yet. */
  public static void until(String what, Callable<Boolean> condition) throws InterruptedException {
    until(what, LONGEST, condition);
  }

  /** As {@link #until(String, Callable)}, for what may take longer. */
  public static void until(String what, Duration longest, Callable<Boolean> condition)
      throws InterruptedException {
    until(what, longest, POLL_MS, condition);
  }

  /** As {@link #until(String, Callable)}; returns the value for which the condition held. */
  public static <T> T value(
      String what, Duration longest, Callable<T> value, Predicate<T> condition)
      throws InterruptedException {
    List<T> last = new ArrayList<>();
    until(
        what,
        longest,
        () -> {
          last.clear();
          last.add(value.call());
          return condition.test(last.get(0));
        });
    return last.get(0);
  }

  static void until(String what, Duration longest, long pollMs, Callable<Boolean> condition)
      throws InterruptedException {
    long deadline = System.nanoTime() + longest.toNanos();
    Exception last = null;
    while (System.nanoTime() < deadline) {
      try {
        if (condition.call()) {
          return;
        }
        last = null;
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        last = e;
      }
      Thread.sleep(pollMs);
    }
    throw new AssertionError("not seen within " + longest + ": " + what, last);
  }
}
