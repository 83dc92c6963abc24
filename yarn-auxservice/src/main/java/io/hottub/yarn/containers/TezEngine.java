// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import io.hottub.tez.TezKeys;

/** Tez puts the settings of an application into its application master and all its tasks. */
final class TezEngine implements Engine {
  private static final String SETTINGS = "tez-conf.pb";

  @Override
  public String name() {
    return "tez";
  }

  @Override
  public String file() {
    return SETTINGS;
  }

  @Override
  public String enabledKey() {
    return TezKeys.ENABLED;
  }

  @Override
  public String isolationKey() {
    return TezKeys.ISOLATION;
  }

  @Override
  public Settings parse(byte[] content) {
    return key -> TezSettings.find(content, key);
  }

  /** Tags and lengths of short texts are control characters, or end the line. */
  @Override
  public String pattern(String key, String value) {
    return "[[:cntrl:]]" + key + "[[:cntrl:]]{2} *" + value + " *($|[[:cntrl:]])";
  }
}
