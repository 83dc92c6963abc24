// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;

/** The user that this process runs as, from the kernel: environment and properties can lie. */
public final class OwnUser {
  private static final Path SELF = Path.of("/proc/self");

  private OwnUser() {}

  public static int uid() throws IOException {
    return (Integer) Files.getAttribute(SELF, "unix:uid");
  }

  /** Compares by uid with other principals of this file system and of {@code SO_PEERCRED}. */
  public static UserPrincipal principal() throws IOException {
    return Files.getOwner(SELF);
  }
}
