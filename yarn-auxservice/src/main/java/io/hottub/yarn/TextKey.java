// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A setting that is a text of a certain form.
 *
 * @param defaultValue empty: none
 * @param allowed regular expression
 * @param values what it allows, for readers
 */
record TextKey(String name, String defaultValue, String allowed, String values, String meaning)
    implements ConfigKey {
  private static final Logger LOG = LoggerFactory.getLogger(TextKey.class);

  /** Returns the configured value; the default, with a warning, where it is no allowed value. */
  String read(Configuration conf) {
    String text = conf.getTrimmed(name, "");
    if (text.isEmpty()) {
      return defaultValue;
    }
    if (text.matches(allowed)) {
      return text;
    }
    LOG.warn("{} is \"{}\", not {}: using {}", name, text, values(), defaultText());
    return defaultValue;
  }

  @Override
  public String defaultText() {
    return defaultValue.isEmpty() ? "none" : defaultValue;
  }
}
