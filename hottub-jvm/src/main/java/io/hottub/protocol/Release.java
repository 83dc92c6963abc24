// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** What is installed. */
public final class Release {
  /** Enough to tell builds apart. */
  private static final int BUILD_DIGITS = 12;

  private Release() {}

  /** Of the jar that this class is in; none where it is not packaged. */
  public static Optional<String> ofThisProgram() {
    return Optional.ofNullable(Release.class.getPackage().getImplementationVersion());
  }

  /** One line: the release of this program, and the JVM of the HotTub home that it runs on. */
  public static String text() {
    return "HotTub %s, JDK %s, %s"
        .formatted(
            ofThisProgram().orElse("(not packaged)"),
            System.getProperty("java.runtime.version"),
            build(Path.of(System.getProperty("java.home"))));
  }

  /** The build of a HotTub home, in words. */
  public static String build(Path home) {
    try {
      String id = SmallFile.read(home.resolve("lib/hottub/build-id")).strip();
      return "build " + id.substring(0, Math.min(BUILD_DIGITS, id.length()));
    } catch (IOException e) {
      return "no HotTub home";
    }
  }
}
