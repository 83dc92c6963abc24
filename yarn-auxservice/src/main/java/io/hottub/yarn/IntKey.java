// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A setting that is a whole number.
 *
 * @param min smallest allowed value
 * @param max largest allowed value
 * @param unit what is counted
 */
record IntKey(String name, int defaultValue, int min, int max, String unit, String meaning)
    implements ConfigKey {
  private static final Logger LOG = LoggerFactory.getLogger(IntKey.class);

  /** Returns the configured value; the default, with a warning, where it is no allowed value. */
  int read(Configuration conf) {
    String text = conf.getTrimmed(name);
    if (text == null || text.isEmpty()) {
      return defaultValue;
    }
    try {
      int value = Integer.parseInt(text);
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      LOG.debug("{} is not a number", name, e);
    }
    LOG.warn("{} is \"{}\", not {}: using {}", name, text, values(), defaultValue);
    return defaultValue;
  }

  @Override
  public String defaultText() {
    return Integer.toString(defaultValue);
  }

  @Override
  public String values() {
    return min + " to " + max + " " + unit;
  }
}
