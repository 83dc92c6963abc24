// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Set;

/**
 * Marks in a pool that make clients run cold: no JVM is leased or started while they are there.
 * What is drained on behalf of the cluster has a symbolic link as its mark, so that neither takes
 * back what the operator of the node has drained, nor the other way round.
 */
public final class PoolMarks {
  private static final String DRAINED = "drained";
  private static final Path FOR_THE_CLUSTER = Path.of("cluster");
  private static final String CRASHING = "crashing";

  private final PoolDirectory pool;

  public PoolMarks(PoolDirectory pool) {
    this.pool = pool;
  }

  /** Closes the whole pool until {@link #undrain()}. */
  public void drain() throws IOException {
    put(pool.userFolder().resolve(DRAINED));
  }

  public void undrain() throws IOException {
    Files.deleteIfExists(pool.userFolder().resolve(DRAINED));
  }

  public boolean isDrained() {
    return exists(pool.userFolder().resolve(DRAINED));
  }

  /** Closes one fingerprint until {@link #undrain(String)}. */
  public void drain(String fingerprint) throws IOException {
    put(ownFolder(fingerprint).resolve(DRAINED));
  }

  public void undrain(String fingerprint) throws IOException {
    Files.deleteIfExists(folder(fingerprint).resolve(DRAINED));
  }

  public boolean isDrained(String fingerprint) {
    return PoolDirectory.isFingerprint(fingerprint)
        && exists(pool.userFolder().resolve(fingerprint).resolve(DRAINED));
  }

  /**
   * Makes exactly this drained on behalf of the cluster; what the operator of the node has drained
   * stays as it is.
   *
   * @param whole the whole pool
   * @param fingerprints these fingerprints
   * @return whether anything was not so before
   */
  public boolean drainForCluster(boolean whole, Set<String> fingerprints) throws IOException {
    Path mark = pool.userFolder().resolve(DRAINED);
    boolean changed = whole ? link(mark) : unlink(mark);
    for (String fingerprint : pool.fingerprints()) {
      if (!fingerprints.contains(fingerprint)) {
        changed |= unlink(pool.userFolder().resolve(fingerprint).resolve(DRAINED));
      }
    }
    for (String fingerprint : fingerprints) {
      changed |= link(ownFolder(fingerprint).resolve(DRAINED));
    }
    return changed;
  }

  private static boolean link(Path mark) throws IOException {
    if (exists(mark)) {
      return false;
    }
    try {
      Files.createSymbolicLink(mark, FOR_THE_CLUSTER);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }

  private static boolean unlink(Path mark) throws IOException {
    return Files.isSymbolicLink(mark) && Files.deleteIfExists(mark);
  }

  /** Closes a fingerprint whose JVMs crash, until a time that is at most a day away. */
  public void closeUntil(String fingerprint, Instant time) throws IOException {
    Path mark = ownFolder(fingerprint).resolve(CRASHING);
    create(mark);
    Files.setLastModifiedTime(mark, FileTime.from(time));
  }

  /** What is no fingerprint could lead out of the pool. */
  private Path folder(String fingerprint) throws IOException {
    if (!PoolDirectory.isFingerprint(fingerprint)) {
      throw new IOException("not a fingerprint: " + fingerprint);
    }
    return pool.userFolder().resolve(fingerprint);
  }

  /** The folder goes with the last JVM, but may be wanted after it. */
  private Path ownFolder(String fingerprint) throws IOException {
    Path folder = folder(fingerprint);
    if (!exists(folder)) {
      Files.createDirectory(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    return folder;
  }

  private static boolean exists(Path path) {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }

  /** Also in the place of the cluster's mark, without a moment in which there is none. */
  private static void put(Path mark) throws IOException {
    Path draft = Files.createTempFile(mark.getParent(), DRAINED, null);
    Files.move(draft, mark, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void create(Path mark) throws IOException {
    try {
      Files.createFile(mark);
    } catch (FileAlreadyExistsException e) {
      // As it should be.
    }
  }
}
