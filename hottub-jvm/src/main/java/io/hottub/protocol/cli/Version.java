// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** What is installed. */
final class Version {
  /** Enough to tell builds apart. */
  private static final int BUILD_DIGITS = 12;

  private Version() {}

  /** One line: the release of this program, and the JVM of the HotTub home that it runs on. */
  static String text() {
    String release = Version.class.getPackage().getImplementationVersion();
    return "HotTub %s, JDK %s, %s"
        .formatted(
            Objects.requireNonNullElse(release, "(not packaged)"),
            System.getProperty("java.runtime.version"),
            build(Path.of(System.getProperty("java.home"))));
  }

  static String build(Path home) {
    try {
      String id = Files.readString(home.resolve("lib/hottub/build-id")).strip();
      return "build " + id.substring(0, Math.min(BUILD_DIGITS, id.length()));
    } catch (IOException e) {
      return "no HotTub home";
    }
  }
}
