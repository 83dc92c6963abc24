// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import io.hottub.spark.SparkKeys;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

/**
 * Spark puts the settings of an application into its application master and all its executors: as a
 * properties file within the archive that is linked as {@code __spark_conf__}.
 */
final class SparkEngine implements Engine {
  private static final String ARCHIVE = "__spark_conf__";
  private static final String SETTINGS = "__spark_conf__.properties";

  @Override
  public String name() {
    return "spark";
  }

  @Override
  public Wish wish(Map<String, Path> files) throws IOException {
    Path archive = files.get(ARCHIVE);
    if (archive == null) {
      return Wish.NONE;
    }
    Properties settings = new Properties();
    try (Reader in = Files.newBufferedReader(archive.resolve(SETTINGS), StandardCharsets.UTF_8)) {
      settings.load(in);
    } catch (IllegalArgumentException e) {
      throw new IOException("damaged settings in " + archive, e);
    }
    return Wish.of(
        settings.getProperty(SparkKeys.ENABLED, ""), settings.getProperty(SparkKeys.ISOLATION, ""));
  }
}
