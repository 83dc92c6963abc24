// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.jdk;

import io.hottub.protocol.ProtocolException;
import io.hottub.protocol.SmallFile;
import java.io.IOException;
import java.lang.Runtime.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A JDK, or a HotTub home, which works as one.
 *
 * @param folder its {@code JAVA_HOME}
 */
public record Jdk(Path folder) {
  /** The line of the file {@code release} (JEP 223 has the form of the version). */
  private static final Pattern VERSION = Pattern.compile("(?m)^JAVA_VERSION=\"([^\"]+)\"$");

  /** Of what HotTub is built for. */
  static final int RELEASE = 17;

  /**
   * Its version.
   *
   * @throws IOException if its file {@code release} tells none
   */
  public Version version() throws IOException {
    Matcher version = VERSION.matcher(SmallFile.read(folder.resolve("release")));
    if (version.find()) {
      try {
        return Version.parse(version.group(1));
      } catch (IllegalArgumentException e) {
        throw new ProtocolException(folder + " has no version: " + version.group(1), e);
      }
    }
    throw new ProtocolException(folder.resolve("release") + " has no JAVA_VERSION");
  }

  /** Whether it is a HotTub home. */
  public boolean isHotTub() {
    return Files.exists(folder.resolve("lib/hottub"));
  }

  /**
   * The first file that programs need and that is not there, or cannot be read; none if all are.
   */
  public Optional<Path> lacks() {
    return MachineSettings.NEEDED.stream()
        .map(folder::resolve)
        .filter(file -> !Files.isReadable(file))
        .findFirst();
  }

  /** Why a HotTub home cannot be as this one is; none if it can. */
  public Optional<String> unfit() {
    try {
      if (isHotTub()) {
        return Optional.of(folder + " is a HotTub home");
      }
      Version version = version();
      if (version.feature() != RELEASE) {
        return Optional.of(folder + " is no JDK " + RELEASE + " but " + version);
      }
      return lacks().map(file -> "there is no " + file + ", or it cannot be read");
    } catch (IOException e) {
      return Optional.of(folder + " is no JDK: " + e.getMessage());
    }
  }
}
