// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class LeaseReportTest {
  /** Spark's handler of what nobody has caught ends the executor. */
  @Test
  void whateverIsThrownStaysInItsThread() throws Exception {
    List<Throwable> uncaught = new CopyOnWriteArrayList<>();
    AtomicReference<Thread> reporter = new AtomicReference<>();
    CountDownLatch received = new CountDownLatch(1);
    var before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, e) -> uncaught.add(e));
    try {
      LeaseReport.start(
          served -> {
            reporter.set(Thread.currentThread());
            received.countDown();
            throw new OutOfMemoryError("of the report");
          });
      assertTrue(received.await(30, TimeUnit.SECONDS));
      reporter.get().join();
      assertEquals(List.of(), uncaught);
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }
}
