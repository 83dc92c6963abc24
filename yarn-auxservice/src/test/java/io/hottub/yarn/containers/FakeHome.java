// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** A HotTub home of which only its {@code bin/java} is looked at. */
final class FakeHome {
  private FakeHome() {}

  static Path create(Path home) throws IOException {
    Path java = Files.createFile(Files.createDirectories(home.resolve("bin")).resolve("java"));
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    return home;
  }
}
