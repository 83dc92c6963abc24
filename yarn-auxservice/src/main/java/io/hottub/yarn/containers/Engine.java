// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Something that runs on YARN, whose applications can ask for HotTub with one setting. */
interface Engine {
  /** The name in logs and metrics. */
  String name();

  /** The name in a container of the file or folder that has its application's settings. */
  String file();

  /** The setting by which an application asks for HotTub. */
  String enabledKey();

  /** The setting by which it chooses an isolation. */
  String isolationKey();

  /** The file with the settings in what has that name. */
  default Path settings(Path file) {
    return file;
  }

  /**
   * The settings in the content of that file.
   *
   * @throws IOException if it is damaged
   */
  Settings parse(byte[] content) throws IOException;

  /** Those of an application. */
  interface Settings {
    /**
     * The value of one, empty if it is not there.
     *
     * @throws IOException if what they were made of is damaged
     */
    Optional<String> find(String key) throws IOException;
  }

  /**
   * An extended regular expression for a line of that file that has a setting, in the C locale.
   *
   * @param key as one
   * @param value as one
   */
  String pattern(String key, String value);
}
