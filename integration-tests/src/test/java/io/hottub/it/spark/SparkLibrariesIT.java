// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Ports;
import io.hottub.it.harness.SparkHome;
import io.hottub.it.harness.SparkOnYarn;
import io.hottub.it.harness.SparkRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What comes with Spark beside its core. */
@NeedsHome
@Tag("long")
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
      "[[new,5,460], [old,10,845], [v0,16,600], [v1,16,616], [v2,16,632], [v3,16,648],"
          + " [v4,16,664]]";

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

  private static final String STATEMENTS =
      "CREATE TABLE numbers USING parquet AS SELECT id FROM range(0, 1000, 1, 2);"
          + "SELECT id % 2, sum(id) FROM numbers GROUP BY 1 ORDER BY 1;";

  private static List<String> settingsOfServer(String port, Path folder) {
    return List.of(
        "spark.driver.memory=1g",
        "spark.sql.shuffle.partitions=2",
        "spark.sql.warehouse.dir=" + folder.resolve("warehouse").toUri(),
        "spark.hadoop.hive.server2.thrift.bind.host=127.0.0.1",
        "spark.hadoop.hive.server2.thrift.port=" + port,
        "spark.hadoop.hive.exec.scratchdir=" + folder.resolve("scratch"),
        "spark.hadoop.hive.exec.local.scratchdir=" + folder.resolve("local"),
        "spark.hadoop.javax.jdo.option.ConnectionURL=jdbc:derby:;databaseName="
            + folder.resolve("metastore")
            + ";create=true");
  }

  /** The server is the driver; it has tables, in a metastore of its own. */
  @Test
  void aThriftServerAnswersBeeline() throws Exception {
    assertEquals(
        "0,249500\n1,250000\n",
        assertWarmAndEqual(
            (pooled, result) -> {
              String port = Integer.toString(Ports.free(1).get(0));
              SparkRun server =
                  startServer(
                      pooled,
                      "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2",
                      settingsOfServer(port, folder()),
                      "Starting ThriftBinaryCLIService on port " + port);
              SparkRun beeline =
                  spark.runProgram(
                      pooled,
                      "beeline",
                      "-u",
                      "jdbc:hive2://127.0.0.1:" + port,
                      "--silent=true",
                      "--outputformat=csv2",
                      "-e",
                      STATEMENTS);
              assertEquals(0, beeline.end(), beeline.log() + server.log());
              Files.writeString(
                  Path.of(result),
                  beeline
                      .log()
                      .lines()
                      .filter(line -> line.matches("[0-9]+,[0-9]+"))
                      .collect(Collectors.joining("\n", "", "\n")));
              assertEquals(143, server.terminate());
              return beeline;
            }));
  }
}
