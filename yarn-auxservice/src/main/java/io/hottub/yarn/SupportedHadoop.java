// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import java.util.List;

/** The Hadoop releases whose NodeManager this version of HotTub was tested in. */
final class SupportedHadoop {
  private static final List<String> LINES = List.of("3.4", "3.5");

  private SupportedHadoop() {}

  static boolean supports(String version) {
    return LINES.stream().anyMatch(line -> version.startsWith(line + "."));
  }

  /** For messages: what would have been right. */
  static String lines() {
    return String.join(", ", LINES);
  }
}
