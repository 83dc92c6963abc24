// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.SparkHome;
import io.hottub.it.harness.SparkOnYarn;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What comes with Spark beside its core. */
@NeedsHome
class SparkLibrariesIT extends SparkOnYarn {
  @Override
  protected String version() {
    return "3";
  }

  private String assertWarmAndEqual(String library, String... settings) throws Exception {
    return assertWarmAndEqual(
        (pooled, result) ->
            spark.submitMain(pooled, "SparkLibraries", List.of(settings), library, result));
  }

  /** As {@code spark.jars}: the user brings them along. */
  private static String jars(String name) throws Exception {
    try (Stream<Path> jars = Files.list(SparkHome.fetch("tables"))) {
      return "spark.jars="
          + jars.filter(jar -> jar.getFileName().toString().startsWith(name))
              .map(Path::toString)
              .sorted()
              .collect(Collectors.joining(","));
    }
  }

  @Test
  void machineLearning() throws Exception {
    assertEquals("3.000 7.000 ", assertWarmAndEqual("learning").substring(0, 12));
  }

  @Test
  void graphs() throws Exception {
    assertEquals("{0=100, 1=100, 2=100, 3=100, 4=100, 5=100, 6=100}", assertWarmAndEqual("graph"));
  }

  private static final String CHANGED =
      "[[new,5,460], [old,10,845], [v0,16,600], [v1,16,616], [v2,16,632], [v3,16,648], [v4,16,664]]";

  @Test
  void tablesOfDelta() throws Exception {
    assertEquals(
        CHANGED,
        assertWarmAndEqual(
            "delta",
            jars("delta-"),
            "spark.sql.extensions=io.delta.sql.DeltaSparkSessionExtension",
            "spark.sql.catalog.spark_catalog=org.apache.spark.sql.delta.catalog.DeltaCatalog"));
  }

  @Test
  void tablesOfIceberg() throws Exception {
    assertEquals(
        CHANGED,
        assertWarmAndEqual(
            "iceberg",
            jars("iceberg-"),
            "spark.sql.extensions="
                + "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
            "spark.sql.catalog.files=org.apache.iceberg.spark.SparkCatalog",
            "spark.sql.catalog.files.type=hadoop",
            "spark.sql.catalog.files.warehouse=" + folder().toUri()));
  }

  @Test
  void structuredStreaming() throws Exception {
    assertEquals("[[n0,224], [n1,224], ", assertWarmAndEqual("streaming").substring(0, 21));
  }
}
