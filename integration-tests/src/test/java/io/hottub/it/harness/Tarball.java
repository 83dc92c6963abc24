// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** All that is installed on a node, as the build has packed it. */
public final class Tarball {
  /** The module that packs it. */
  public static final Path DEPLOY =
      Path.of(Home.property("hottub.test.deploy")).toAbsolutePath().normalize();

  private Tarball() {}

  /** Where it is. */
  public static Path path() throws IOException {
    Path folder = DEPLOY.resolve("target");
    try (DirectoryStream<Path> tarballs = Files.newDirectoryStream(folder, "hottub-*.tar.gz")) {
      for (Path tarball : tarballs) {
        return tarball;
      }
    }
    throw new AssertionError("there is no tarball in " + folder + "; ./mvnw package makes it");
  }
}
