// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import io.hottub.yarn.config.MapReduceKeys;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** MapReduce puts the settings of a job into its application master and all its tasks. */
final class MapReduceEngine implements Engine {
  private static final String SETTINGS = "job.xml";

  @Override
  public String name() {
    return "mapreduce";
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
        content -> {
          String text = new String(content, StandardCharsets.UTF_8);
          return Wish.of(
              JobSettings.find(text, MapReduceKeys.ENABLED).orElse(""),
              JobSettings.find(text, MapReduceKeys.ISOLATION).orElse(""));
        });
  }
}
