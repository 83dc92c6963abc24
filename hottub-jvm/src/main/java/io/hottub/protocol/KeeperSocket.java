// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.nio.file.Path;

/**
 * Where a keeper listens, or listened until it was killed: what dead keepers left is cleared away
 * by the next client that starts a JVM, under a lock that Java cannot take.
 *
 * @param folder folder of the fingerprint
 * @param keeperPid process id of the keeper
 * @param idleHint whether the JVM was idle when the folder was listed; only the keeper knows for
 *     sure
 */
public record KeeperSocket(Path folder, long keeperPid, boolean idleHint) {

  /** First 32 hexadecimal digits of the fingerprint. */
  public String fingerprintPrefix() {
    return folder.getFileName().toString();
  }

  Path pathWhenIdle() {
    return folder.resolve("i-" + keeperPid);
  }

  Path pathWhenBusy() {
    return folder.resolve("b-" + keeperPid);
  }
}
