// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.recipes;

import io.hottub.protocol.JvmState;
import io.hottub.protocol.RunTrace;
import io.hottub.yarn.pool.PoolScanner;
import io.hottub.yarn.pool.PoolView;
import io.hottub.yarn.pool.PooledJvm;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** Whether the pool still has what a run was served by. */
final class JvmReturn {
  private static final long POLL_MS = 100;

  /** More than a reset may take. */
  private static final Duration RESET = Duration.ofSeconds(15);

  private final PoolScanner scanner;

  JvmReturn(PoolScanner scanner) {
    this.scanner = scanner;
  }

  /**
   * Waits until the JVM is idle again, or leased to somebody else, or serves by its clones. A clone
   * ends with its run, and so does a trained JVM where there is a template: neither is a loss.
   *
   * @param trace of a run that is over; null: it had none
   */
  boolean isBack(RunTrace trace) throws IOException, InterruptedException {
    if (trace == null || (trace.isolation() != null && trace.isolation().isCopy())) {
      return true;
    }
    long deadline = System.nanoTime() + RESET.toNanos();
    while (System.nanoTime() < deadline) {
      PoolView view = scanner.scan();
      if (view.hasTemplate(trace.fingerprint())) {
        return true;
      }
      Optional<PooledJvm> jvm =
          view.jvms().stream()
              .filter(one -> Objects.equals(one.state().jvmPid(), trace.jvmPid()))
              .findFirst();
      if (jvm.isEmpty() || jvm.get().state().state() == JvmState.RETIRING) {
        return false;
      }
      if (jvm.get().state().state() == JvmState.IDLE
          || !Objects.equals(jvm.get().state().run(), trace.run())) {
        return true;
      }
      Thread.sleep(POLL_MS);
    }
    return false;
  }
}
