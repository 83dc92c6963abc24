// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** What is done with servers of every kind: starting them, reading pages, and ending them. */
final class Servers {
  /** On a busy machine, too. */
  private static final long STOP_SECONDS = 120;

  private static final Set<Process> STARTED = ConcurrentHashMap.newKeySet();

  static {
    // What a test has left because it failed.
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> STARTED.forEach(Process::destroyForcibly)));
  }

  private Servers() {}

  /** Starts a process, which ends with this JVM at the latest. */
  static Process start(ProcessBuilder builder) throws IOException {
    Process process = builder.start();
    STARTED.removeIf(other -> !other.isAlive());
    STARTED.add(process);
    return process;
  }

  /** A page. */
  static String read(String url) throws IOException {
    try (var in = URI.create(url).toURL().openStream()) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  /** Ends a process as an operator does. */
  static void stop(Process process) throws InterruptedException {
    process.destroy();
    if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      throw new AssertionError("no end within " + STOP_SECONDS + " s of SIGTERM: " + process);
    }
  }
}
