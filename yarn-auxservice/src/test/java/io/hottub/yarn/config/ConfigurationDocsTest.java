// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.config;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.protocol.GeneratedPart;
import io.hottub.spark.SparkKeys;
import io.hottub.tez.TezKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of settings in the documentation. */
class ConfigurationDocsTest {
  private static final Path FILE = Path.of("..", "docs", "configuration.md");

  private static String table() {
    StringBuilder table = new StringBuilder("| setting | since | default | values | meaning |\n");
    table.append("|---|---|---|---|---|\n");
    for (ConfigKey<?> key : HotTubConfig.keys()) {
      table.append(
          "| `%s` | %s | %s | %s | %s |\n"
              .formatted(key.name(), key.since(), key.defaultText(), key.form(), key.meaning()));
    }
    return table.toString();
  }

  @Test
  void theTableIsUpToDate() throws IOException {
    GeneratedPart.assertUpToDate(FILE, List.of(table()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        SparkKeys.ENABLED,
        SparkKeys.HOME,
        SparkKeys.ISOLATION,
        TezKeys.ENABLED,
        TezKeys.ISOLATION,
        MapReduceKeys.ENABLED,
        MapReduceKeys.ISOLATION
      })
  void theOtherSettingsAreDocumented(String key) throws IOException {
    assertTrue(Files.readString(FILE).contains("| `" + key + "` |"), key);
  }

  @Test
  void everyKeyIsDeclaredThroughTheList() throws IllegalAccessException {
    for (var field : HotTubConfig.class.getDeclaredFields()) {
      if (ConfigKey.class.isAssignableFrom(field.getType())) {
        assertTrue(HotTubConfig.keys().contains(field.get(null)), field.getName());
      }
    }
  }
}
