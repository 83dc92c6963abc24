// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Something that runs on YARN, whose applications can ask for HotTub with one setting. */
interface Engine {
  /** The name in logs and metrics. */
  String name();

  /**
   * Whether a container belongs to an application of this engine that asks for HotTub.
   *
   * @param files local files and folders of the container by the names that they have in it
   * @throws IOException if the application's settings are there but cannot be read
   */
  boolean asksForHotTub(Map<String, Path> files) throws IOException;
}
