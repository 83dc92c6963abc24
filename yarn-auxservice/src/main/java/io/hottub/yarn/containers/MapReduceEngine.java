// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import io.hottub.yarn.config.MapReduceKeys;
import java.nio.charset.StandardCharsets;

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
  public String enabledKey() {
    return MapReduceKeys.ENABLED;
  }

  @Override
  public String isolationKey() {
    return MapReduceKeys.ISOLATION;
  }

  @Override
  public Settings parse(byte[] content) {
    String text = new String(content, StandardCharsets.UTF_8);
    return key -> JobSettings.find(text, key);
  }

  @Override
  public String pattern(String key, String value) {
    return "<name>" + key + "</name><value> *" + value + " *</value>";
  }
}
