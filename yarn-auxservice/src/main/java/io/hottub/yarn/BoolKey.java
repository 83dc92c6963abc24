// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A setting that is on or off. */
record BoolKey(String name, boolean defaultValue, String meaning) implements ConfigKey {
  private static final Logger LOG = LoggerFactory.getLogger(BoolKey.class);

  /** Returns the configured value; the default, with a warning, where it is no allowed value. */
  boolean read(Configuration conf) {
    String text = conf.getTrimmed(name, "");
    switch (text) {
      case "true" -> {
        return true;
      }
      case "false" -> {
        return false;
      }
      case "" -> {
        return defaultValue;
      }
      default -> {
        LOG.warn("{} is \"{}\", not {}: using {}", name, text, values(), defaultValue);
        return defaultValue;
      }
    }
  }

  @Override
  public String defaultText() {
    return Boolean.toString(defaultValue);
  }

  @Override
  public String values() {
    return "true or false";
  }
}
