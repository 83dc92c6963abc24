// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where a keeper listens.
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

  /**
   * Removes what a killed keeper left; for a socket where connecting was refused. A pid that lives,
   * even as another program, keeps its socket: a wrong guess would cut a good JVM off.
   *
   * @return whether the keeper is dead and nothing of it is left
   */
  public boolean removeIfDead() throws IOException {
    if (Files.exists(Path.of("/proc", Long.toString(keeperPid)))) {
      return false;
    }
    Files.deleteIfExists(pathWhenIdle());
    Files.deleteIfExists(pathWhenBusy());
    return true;
  }
}
