// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.config;

import java.util.List;

/** The Hadoop releases whose NodeManager this version of HotTub was tested in. */
public final class SupportedHadoop {
  private static final List<String> LINES = List.of("3.3", "3.4", "3.5");

  private SupportedHadoop() {}

  public static boolean supports(String version) {
    return LINES.stream().anyMatch(line -> version.startsWith(line + "."));
  }

  /** For messages: what would have been right. */
  public static String lines() {
    return String.join(", ", LINES);
  }
}
