// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Something that runs on YARN, whose applications can ask for HotTub with one setting. */
interface Engine {
  /** The name in logs and metrics. */
  String name();

  /** The name in a container of what has the application's settings. */
  String file();

  /**
   * What the application of a container wants, if it is one of this engine.
   *
   * @param files local files and folders of the container by the names that they have in it
   * @throws IOException if the application's settings are there but cannot be read
   */
  Wish wish(Map<String, Path> files) throws IOException;

  /**
   * What an application says of HotTub.
   *
   * @param enabled whether it asks for HotTub
   * @param isolation what it has written for that; empty: as the node has it
   */
  record Wish(boolean enabled, String isolation) {
    static final Wish NONE = new Wish(false, "");

    static Wish of(String enabled, String isolation) {
      return new Wish(Boolean.parseBoolean(enabled.trim()), isolation.trim());
    }
  }
}
