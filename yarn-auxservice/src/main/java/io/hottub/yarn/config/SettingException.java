// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.config;

import java.io.IOException;

/** A setting of the node that cannot be used, in one line: no stack tells more. */
public final class SettingException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * @param value as it is set; empty: it is not
   * @param todo what the operator can do
   */
  public SettingException(ConfigKey<?> key, String value, String problem, String todo) {
    super(
        "%s is %s: %s; what to do: %s"
            .formatted(
                key.name(), value.isEmpty() ? "not set" : ConfigKey.quoted(value), problem, todo));
  }
}
