// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.spark;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.SparkSession;

/**
 * Main class of recipes for Spark's JVMs: runs what most queries need, scans, aggregates, joins,
 * sorts, windows, Parquet and ORC, on rows of its own. All happens in this process and below its
 * working directory.
 */
public final class Trainer {
  private static final int ROWS = 100_000;

  private static final List<String> STATEMENTS =
      List.of(
          write("parquet"),
          write("orc"),
          """
          SELECT k, count(*), sum(amount), avg(amount), min(name), max(day) FROM facts
          WHERE id % 3 = 0 AND name LIKE 'name%' GROUP BY k ORDER BY k
          """,
          """
          SELECT /*+ BROADCAST(d) */ d.title, count(DISTINCT f.name), sum(f.price * (1 - f.amount / 100))
          FROM facts f JOIN details d ON f.k = d.k GROUP BY d.title ORDER BY 3 DESC LIMIT 20
          """,
          """
          SELECT /*+ MERGE(g) */ count(*), max(f.price) FROM facts f JOIN facts g ON f.id = g.id
          WHERE g.day BETWEEN date '2020-02-01' AND date '2021-02-01'
          """,
          """
          SELECT * FROM (
            SELECT k, id, row_number() OVER (PARTITION BY k ORDER BY price DESC, id) AS place,
              sum(price) OVER (PARTITION BY k ORDER BY id) AS total FROM facts) ranked
          WHERE place <= 2 ORDER BY k, place
          """,
          """
          SELECT year(day), month(day), sum(CASE WHEN amount > 50 THEN 1 ELSE 0 END), round(sum(price), 2)
          FROM lines GROUP BY ROLLUP (year(day), month(day)) ORDER BY 1, 2
          """,
          """
          SELECT count(*) FROM facts f WHERE EXISTS (SELECT 1 FROM details d WHERE d.k = f.k AND d.k % 2 = 0)
          AND f.price > (SELECT avg(price) FROM lines) AND substring(f.name, 5, 1) IN ('1', '2')
          """,
          "SELECT k, id FROM facts WHERE id % 50 = 0 UNION ALL SELECT k, id FROM lines WHERE id % 50 = 1"
              + " ORDER BY id");

  private Trainer() {}

  /** Once through all statements; more is what {@code runs} of the recipe is for. */
  public static void main(String[] args) throws IOException {
    Path folder = Files.createTempDirectory(Path.of("").toAbsolutePath(), "trainer");
    String loopback = InetAddress.getLoopbackAddress().getHostAddress();
    try (SparkSession spark =
        SparkSession.builder()
            .appName("trainer")
            .master("local[2]")
            .config("spark.driver.host", loopback)
            .config("spark.driver.bindAddress", loopback)
            .config("spark.ui.enabled", "false")
            .config("spark.log.level", "WARN")
            .config("spark.sql.shuffle.partitions", "4")
            .config("spark.sql.warehouse.dir", folder.resolve("warehouse").toUri().toString())
            .config("spark.hadoop.fs.defaultFS", "file:///")
            .getOrCreate()) {
      for (int i = 0; i < STATEMENTS.size(); i++) {
        long start = System.nanoTime();
        spark.sql(STATEMENTS.get(i).replace("FOLDER", folder.toUri().toString())).collect();
        System.out.printf(
            "trainer: statement %d of %d, %d ms%n",
            i + 1, STATEMENTS.size(), (System.nanoTime() - start) / 1_000_000);
        if (i == 1) {
          view(spark, folder, "facts", "parquet");
          view(spark, folder, "lines", "orc");
          spark.sql(
              "CREATE TEMPORARY VIEW details AS SELECT id AS k, concat('title', id % 40) AS title"
                  + " FROM range(1000)");
        }
      }
    }
  }

  private static String write(String format) {
    return "INSERT OVERWRITE DIRECTORY 'FOLDER"
        + format
        + "' USING "
        + format
        + " SELECT id, id % 1000 AS k, CAST(id % 97 AS decimal(12, 2)) AS amount, id * 0.37D AS price,"
        + " concat('name', id % 5000) AS name, date_add(date '2020-01-01', CAST(id % 1500 AS int)) AS day"
        + " FROM range("
        + ROWS
        + ")";
  }

  private static void view(SparkSession spark, Path folder, String name, String format) {
    spark.sql(
        "CREATE TEMPORARY VIEW %s AS SELECT * FROM %s.`%s%s`"
            .formatted(name, format, folder.toUri(), format));
  }
}
