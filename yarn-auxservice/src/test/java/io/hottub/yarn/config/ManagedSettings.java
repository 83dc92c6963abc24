// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.config;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What cluster managers have to know of a setting beyond what it says itself. */
final class ManagedSettings {
  private ManagedSettings() {}

  /** The last words of a setting's name, as in {@code max-jvms}. */
  static String shortName(ConfigKey<?> key) {
    return key.name().substring(HotTubConfig.PREFIX.length());
  }

  /** What operators see of the name. */
  static String label(ConfigKey<?> key) {
    String words = shortName(key).replace('-', ' ').replace("jvms", "JVMs");
    words = words.replaceAll(" (ms|mb|seconds|percent)$", "").replace("cpu", "CPU");
    return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
  }

  /**
   * The value that the manager sets.
   *
   * @param home where it installs the HotTub home
   */
  static Optional<String> value(ConfigKey<?> key, String home) {
    return key == HotTubConfig.HOME ? Optional.of(home) : key.defaultValue();
  }

  /** What a unit of ours is called by a manager; empty if it has none of that kind. */
  static Optional<String> unit(ValueForm.WholeNumber number, Map<String, String> names) {
    return Optional.ofNullable(names.get(number.unit()));
  }

  /**
   * What operators read of it: its meaning, what is allowed, and what it means that it is not set.
   */
  static String meaning(ConfigKey<?> key) {
    String unset = key.defaultValue().isEmpty() ? ". Not set: " + key.defaultText() : "";
    return key.meaning() + " (" + key.form() + ")" + unset + ".";
  }
}
