// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import io.hottub.spark.SparkKeys;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * Spark puts the settings of an application into its application master and all its executors: as a
 * properties file within the archive that is linked as {@code __spark_conf__}.
 */
final class SparkEngine implements Engine {
  private static final String ARCHIVE = "__spark_conf__";
  private static final String SETTINGS = "__spark_conf__.properties";
  private static final String OURS = "spark.hottub.";

  @Override
  public String name() {
    return "spark";
  }

  @Override
  public String file() {
    return ARCHIVE;
  }

  @Override
  public String enabledKey() {
    return SparkKeys.ENABLED;
  }

  @Override
  public String isolationKey() {
    return SparkKeys.ISOLATION;
  }

  @Override
  public Path settings(Path archive) {
    return archive.resolve(SETTINGS);
  }

  /** Spark writes each setting into a line of its own. All of a hostile file would be too much. */
  @Override
  public Settings parse(byte[] content) throws IOException {
    Properties settings = new Properties();
    settings.load(
        new StringReader(
            new String(content, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith(OURS))
                .collect(Collectors.joining("\n"))));
    return key -> Optional.ofNullable(settings.getProperty(key));
  }

  @Override
  public String pattern(String key, String value) {
    return "^" + key + "=" + value + " *$";
  }
}
