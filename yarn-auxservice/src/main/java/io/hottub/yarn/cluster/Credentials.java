// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.cluster;

import io.hottub.protocol.SmallFile;
import io.hottub.yarn.config.HotTubConfig;
import io.hottub.yarn.config.SettingException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Reads the file with user and password for ZooKeeper's digest scheme. */
final class Credentials {
  private static final int OF_OTHERS = 0077;

  private Credentials() {}

  /**
   * Returns what the file has, {@code user:password}, as ZooKeeper wants it.
   *
   * @throws IOException if there is no file, if others than its owner may read or change it, or if
   *     it holds something else
   */
  static byte[] read(Optional<Path> configured) throws IOException {
    Path file =
        configured.orElseThrow(
            () -> problem("", HotTubConfig.CLUSTER_AUTH.name() + " is digest, which needs a file"));
    int mode = (Integer) Files.getAttribute(file, "unix:mode");
    if ((mode & OF_OTHERS) != 0) {
      throw problem(file.toString(), "it is open to others than its owner; it needs mode 0600");
    }
    String text = SmallFile.read(file).strip();
    if (!text.matches("[^:\\s]+:\\S+")) {
      throw problem(file.toString(), "it does not hold user:password");
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static SettingException problem(String value, String problem) {
    return new SettingException(
        HotTubConfig.CLUSTER_CREDENTIALS,
        value,
        problem,
        "name a file with one line user:password, which only the NodeManager's user may read");
  }
}
