// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.spark;

import io.hottub.protocol.NoPoolException;
import io.hottub.protocol.PoolDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * How the JVM that a program runs in was served. The journal of the pool tells, where there is one;
 * else what the process is itself.
 */
final class OwnJvm {
  private static final Path SELF = Path.of("/proc/self");

  /** The client writes down what it was granted when the run already begins. */
  private static final int TRIES = 25;

  private static final long WAIT_MS = 200;

  private final Path javaHome;
  private final Path executable;
  private final Map<String, String> environment;
  private final int tries;

  /**
   * @param javaHome folder of its Java
   * @param executable what the process executes
   * @param tries how often to look for a record
   */
  OwnJvm(Path javaHome, Path executable, Map<String, String> environment, int tries) {
    this.javaHome = javaHome;
    this.executable = executable;
    this.environment = environment;
    this.tries = tries;
  }

  /** That of this process. */
  static OwnJvm ofThisProcess() throws IOException {
    return new OwnJvm(
        Path.of(System.getProperty("java.home")),
        Files.readSymbolicLink(SELF.resolve("exe")),
        System.getenv(),
        TRIES);
  }

  /** Waits some seconds for the record to be written, if need be. */
  Served await() throws IOException, InterruptedException {
    if (!isPooled() && !Files.exists(javaHome.resolve("lib/hottub/build-id"))) {
      return Served.cold("other-java");
    }
    if ("off".equals(environment.get("HOTTUB"))) {
      return Served.cold("off"); // of which the client keeps no record
    }
    OwnLease lease;
    try {
      lease = lease();
    } catch (NoPoolException e) {
      return isPooled() ? unrecorded() : Served.cold(e.reason());
    }
    Optional<Served> described = lease.describe();
    for (int i = 1; i < tries && described.isEmpty(); i++) {
      Thread.sleep(WAIT_MS);
      described = lease.describe();
    }
    return described.orElseGet(this::unrecorded);
  }

  private OwnLease lease() throws IOException {
    ProcessHandle self = ProcessHandle.current();
    long started = self.info().startInstant().map(i -> i.toEpochMilli()).orElse(0L);
    return new OwnLease(PoolDirectory.resolve(environment), self.pid(), started);
  }

  private Served unrecorded() {
    return isPooled()
        ? Served.byPool("by a JVM of the pool, without a record")
        : Served.cold("no-journal");
  }

  private boolean isPooled() {
    // The kernel adds a word when the file was replaced.
    return executable.getFileName().toString().startsWith("pooled-java");
  }
}
