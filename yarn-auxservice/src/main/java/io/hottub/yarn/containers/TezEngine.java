// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import io.hottub.tez.TezKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

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
  public Wish wish(Map<String, Path> files) throws IOException {
    Path settings = files.get(SETTINGS);
    if (settings == null) {
      return Wish.NONE;
    }
    return UserFile.read(
        settings,
        content ->
            Wish.of(
                TezSettings.find(content, TezKeys.ENABLED).orElse(""),
                TezSettings.find(content, TezKeys.ISOLATION).orElse("")));
  }
}
