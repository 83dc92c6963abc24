// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Bounds that clients and keepers of one pool obey.
 *
 * @param maxJvms pooled JVMs of this user on the node; 0 turns pooling off
 * @param maxJvmsPerFingerprint pooled JVMs of one fingerprint, 1 or more
 * @param idleSeconds seconds without a lease after which a JVM retires, 1 or more
 * @param maxLeases leases after which a JVM retires, 1 or more
 */
public record PoolLimits(int maxJvms, int maxJvmsPerFingerprint, int idleSeconds, int maxLeases) {

  /**
   * Writes the pool's {@code limits} file, at once or not at all: a client never reads half of it.
   */
  public void write(PoolDirectory pool) throws IOException {
    Path file = pool.userFolder().resolve("limits");
    Path draft =
        Files.createTempFile(
            pool.userFolder(),
            "limits",
            null,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      Files.writeString(draft, text());
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private String text() {
    if (maxJvms == 0) {
      return "disabled\n";
    }
    return "max_jvms %d%nmax_jvms_per_fingerprint %d%nidle_seconds %d%nmax_leases %d%n"
        .formatted(maxJvms, maxJvmsPerFingerprint, idleSeconds, maxLeases);
  }
}
