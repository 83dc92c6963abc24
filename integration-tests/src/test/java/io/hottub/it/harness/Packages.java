// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Debian packages that only some tests need. */
public final class Packages {
  private Packages() {}

  /**
   * Installs what is missing of a list.
   *
   * @param list a file of the module
   * @return what the script has said
   */
  public static String install(String list) throws IOException {
    Path root = Tarball.DEPLOY.getParent();
    Process install =
        new ProcessBuilder(
                List.of(
                    root.resolve("hottub-jvm/build/install-packages").toString(),
                    root.resolve("integration-tests").resolve(list).toString()))
            .redirectErrorStream(true)
            .start();
    return new String(install.getInputStream().readAllBytes(), UTF_8);
  }
}
