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
  /** Of what HotTub is built for. */
  static final int RELEASE = 17;

  /**
   * What its file {@code release} says of this; none if it is damaged.
   *
   * @throws IOException if there is no such file
   */
  public Optional<String> says(String name) throws IOException {
    Matcher line =
        Pattern.compile("(?m)^" + name + "=\"([^\"]+)\"$")
            .matcher(SmallFile.read(folder.resolve("release")));
    return line.find() ? Optional.of(line.group(1)) : Optional.empty();
  }

  /**
   * Its version (JEP 223).
   *
   * @throws IOException if its file {@code release} tells none
   */
  public Version version() throws IOException {
    String version =
        says("JAVA_VERSION")
            .orElseThrow(
                () -> new ProtocolException(folder.resolve("release") + " has no JAVA_VERSION"));
    try {
      return Version.parse(version);
    } catch (IllegalArgumentException e) {
      throw new ProtocolException(folder + " has no version: " + version, e);
    }
  }

  /** Whether it is a HotTub home. */
  public boolean isHotTub() {
    return Files.exists(folder.resolve("lib/hottub"));
  }

  /**
   * The first file that programs need and that is not there, or cannot be used; none if all are.
   */
  public Optional<Path> lacks() {
    Path java = folder.resolve("bin/java");
    if (!Files.isExecutable(java)) {
      return Optional.of(java);
    }
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
      return lacks().map(file -> "there is no " + file + ", or it cannot be used");
    } catch (IOException e) {
      return Optional.of(folder + " is no JDK: " + e.getMessage());
    }
  }
}
