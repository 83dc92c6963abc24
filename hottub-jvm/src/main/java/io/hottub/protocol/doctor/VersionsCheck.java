// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.doctor;

import io.hottub.protocol.Release;
import io.hottub.protocol.SmallFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Whether what is installed is of one release. */
final class VersionsCheck implements Check {
  private final Path install;
  private final Path home;
  private final Optional<String> release;

  VersionsCheck(Path install, Path home) {
    this(install, home, Release.ofThisProgram());
  }

  /**
   * @param release of the jar that does this; none where it is not packaged
   */
  VersionsCheck(Path install, Path home, Optional<String> release) {
    this.install = install;
    this.home = home;
    this.release = release;
  }

  @Override
  public String name() {
    return "versions";
  }

  @Override
  public String right() {
    return "The jar with the checks (on a node the one on the class path of yarn), the folder where"
        + " HotTub is installed and the home are of one installation";
  }

  @Override
  public Finding look() throws IOException {
    Path file = install.resolve("VERSION");
    String ours = release.orElse("(not packaged)");
    if (Files.exists(file) && !SmallFile.read(file).strip().equals(ours)) {
      return Finding.failed(
          "the jar of HotTub is of %s, %s of %s"
              .formatted(ours, install, SmallFile.read(file).strip()),
          "take jars of HotTub of other releases off the class path of yarn, and restart the"
              + " NodeManager");
    }
    if (Files.exists(file) && !home.toRealPath().startsWith(install.toRealPath())) {
      return Finding.warning(
          "the home that runs use, %s, is not that of %s".formatted(home, install),
          "let the setting home name " + install.resolve("home"));
    }
    return Finding.ok("HotTub " + ours + ", " + Release.build(home));
  }
}
