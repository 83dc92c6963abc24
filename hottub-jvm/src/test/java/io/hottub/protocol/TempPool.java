// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A pool directory for one test, at a path that is short enough for sockets. */
public final class TempPool implements AutoCloseable {
  private final PoolDirectory pool;

  public TempPool() throws IOException {
    pool = PoolDirectory.at(Files.createTempDirectory("hottub"));
    pool.create();
  }

  public PoolDirectory pool() {
    return pool;
  }

  /** For what lives as long as its process. */
  public void closeAtExit() {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  try {
                    close();
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                }));
  }

  @Override
  public void close() throws IOException {
    try (Stream<Path> files = Files.walk(pool.root())) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
