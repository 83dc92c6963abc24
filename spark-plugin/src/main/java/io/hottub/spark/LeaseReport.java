// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.spark;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells how this JVM was served, in a thread of its own: no job waits for it or fails by it. */
final class LeaseReport {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseReport.class);

  private LeaseReport() {}

  /** Who wants to know. */
  interface Receiver {
    void receive(Served served) throws Exception;
  }

  static void start(Receiver receiver) {
    Thread thread = new Thread(() -> run(receiver), "hottub-lease-report");
    thread.setDaemon(true);
    thread.start();
  }

  private static void run(Receiver receiver) {
    try {
      receiver.receive(OwnJvm.ofThisProcess().await());
    } catch (Exception | Error e) {
      // As an application that ends; or a release of Spark that has changed what we use. What a
      // thread lets through, Spark ends its executor by.
      LOG.warn("Cannot tell how this JVM was served by HotTub: {}", e.toString());
    }
  }
}
