// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** What of a HotTub home is looked at before a container runs on it. */
public final class FakeHome {
  private FakeHome() {}

  public static Path create(Path home) throws IOException {
    Path java = Files.createFile(Files.createDirectories(home.resolve("bin")).resolve("java"));
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    for (String file : List.of("conf/security/java.security", "lib/security/cacerts")) {
      Files.createDirectories(home.resolve(file).getParent());
      Files.createFile(home.resolve(file));
    }
    return home;
  }
}
