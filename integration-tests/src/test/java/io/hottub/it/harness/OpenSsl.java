// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** OpenSSL under the name by which Spark opens it, which only its development package has. */
public final class OpenSsl {
  private static final Path LIBRARY = Path.of("/usr/lib/x86_64-linux-gnu/libcrypto.so");

  private OpenSsl() {}

  /** Installs it where it is missing; where that cannot be, Spark has the JDK's ciphers. */
  public static void install() throws IOException {
    if (!Files.exists(LIBRARY)) {
      System.out.println(Packages.install("packages-openssl.txt"));
    }
  }
}
