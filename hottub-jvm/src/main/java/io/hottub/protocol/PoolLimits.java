// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.io.IOException;
import java.io.UncheckedIOException;
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
 * @param idleMemoryMb resident memory of all idle JVMs of this user, MiB
 * @param isolation of runs that do not choose one themselves
 */
public record PoolLimits(
    int maxJvms,
    int maxJvmsPerFingerprint,
    int idleSeconds,
    int maxLeases,
    int idleMemoryMb,
    Isolation isolation) {
  /** The {@link #variable()} of a pool that is closed. */
  public static final String OFF = "disabled";

  // As pool_limits_of_machine in native/common/pool.c.
  private static final int MEMORY_PART = 4;
  private static final int MEMORY_MAX_MB = 16 * 1024;
  private static final int SMALL_JVM_MB = 64;
  private static final int MIN_JVMS = 8;
  private static final int MAX_JVMS = 256;
  private static final int IDLE_SECONDS = 900;
  private static final int MAX_LEASES = 1000;

  /** Those of a pool whose runs reuse JVMs, as they do where nobody says otherwise. */
  public PoolLimits(
      int maxJvms, int maxJvmsPerFingerprint, int idleSeconds, int maxLeases, int idleMemoryMb) {
    this(maxJvms, maxJvmsPerFingerprint, idleSeconds, maxLeases, idleMemoryMb, Isolation.REUSE);
  }

  /**
   * What clients and keepers obey where nobody has written limits.
   *
   * @throws UncheckedIOException if the kernel does not tell how much memory there is
   */
  public static PoolLimits ofThisMachine() {
    return ofMachine(memoryOfThisMachineMb());
  }

  /**
   * Memory of this machine, MiB.
   *
   * @throws UncheckedIOException if the kernel does not tell how much there is
   */
  public static long memoryOfThisMachineMb() {
    try {
      return MachineMemory.read(MachineMemory.FILE).totalKb() / 1024;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The same for a machine.
   *
   * @param memoryMb its memory, MiB
   */
  static PoolLimits ofMachine(long memoryMb) {
    int idleMb = (int) Math.min(MEMORY_MAX_MB, memoryMb / MEMORY_PART);
    int jvms = Math.min(MAX_JVMS, Math.max(MIN_JVMS, idleMb / SMALL_JVM_MB));
    return new PoolLimits(jvms, Math.max(MIN_JVMS, jvms / 2), IDLE_SECONDS, MAX_LEASES, idleMb);
  }

  /**
   * Writes the pool's {@code limits} file, at once or not at all: a client never reads half of it.
   */
  public void write(PoolDirectory pool) throws IOException {
    Path file = file(pool);
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

  /** Where they are written. */
  public static Path file(PoolDirectory pool) {
    return pool.userFolder().resolve("limits");
  }

  /** Whether the pool obeys these: they were written last. */
  public boolean areThoseOf(PoolDirectory pool) throws IOException {
    return Files.exists(file(pool)) && SmallFile.read(file(pool)).equals(text());
  }

  /** What clients put into the pools of users where nobody else may write. */
  public String variable() {
    return text().strip().replace('\n', ',');
  }

  private String text() {
    if (maxJvms == 0) {
      return OFF + "\n";
    }
    return ("max_jvms %d%nmax_jvms_per_fingerprint %d%nidle_seconds %d%nmax_leases %d%n"
            + "memory_mb %d%nisolation %s%n")
        .formatted(
            maxJvms, maxJvmsPerFingerprint, idleSeconds, maxLeases, idleMemoryMb, isolation.word());
  }
}
