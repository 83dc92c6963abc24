// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.desc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.GraphLoader;
import org.apache.spark.graphx.lib.ConnectedComponents;
import org.apache.spark.ml.clustering.KMeans;
import org.apache.spark.ml.feature.VectorAssembler;
import org.apache.spark.ml.regression.LinearRegression;
import org.apache.spark.ml.regression.LinearRegressionModel;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.storage.StorageLevel;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * An application of a library of Spark: {@code SparkLibraries
 * learning|graph|streaming|delta|iceberg RESULT} writes what it has found. What it needs beside
 * that is in the folder of the result.
 */
public final class SparkLibraries {
  private SparkLibraries() {}

  public static void main(String[] args) throws Exception {
    Path result = Path.of(args[1]);
    try (SparkSession spark = SparkSession.builder().getOrCreate()) {
      String found =
          switch (args[0]) {
            case "learning" -> learning(spark);
            case "graph" -> graph(spark, result.resolveSibling("edges"));
            case "streaming" -> streaming(spark, result.resolveSibling("lines"));
            case "delta" ->
                table(spark, "delta.`" + result.resolveSibling("t").toUri() + "`", "delta");
            case "iceberg" -> table(spark, "files.default.t" + folderName(result), "iceberg");
            default -> throw new IllegalArgumentException(args[0]);
          };
      Files.writeString(result, found);
    }
  }

  /** Rounded: in which order tasks end decides about the last digits. */
  private static String learning(SparkSession spark) {
    Dataset<Row> numbers =
        spark.range(0, 2000, 1, 2).select(col("id"), col("id").multiply(3).plus(7).alias("label"));
    Dataset<Row> points =
        new VectorAssembler()
            .setInputCols(new String[] {"id"})
            .setOutputCol("features")
            .transform(numbers);
    LinearRegressionModel line = new LinearRegression().setSolver("normal").fit(points);
    double cost = new KMeans().setK(2).setSeed(17).fit(points).summary().trainingCost();
    return String.format(
        Locale.ROOT, "%.3f %.3f %.3e", line.coefficients().apply(0), line.intercept(), cost);
  }

  private static String graph(SparkSession spark, Path edges) throws IOException {
    // A ring for each rest of a division by 7.
    Files.write(edges, IntStream.range(0, 700).mapToObj(i -> i + " " + (i + 7) % 700).toList());
    Graph<Object, Object> graph =
        GraphLoader.edgeListFile(
            spark.sparkContext(),
            edges.toUri().toString(),
            false,
            2,
            StorageLevel.MEMORY_ONLY(),
            StorageLevel.MEMORY_ONLY());
    ClassTag<Object> any = ClassTag$.MODULE$.apply(Object.class);
    TreeMap<Object, Integer> sizes = new TreeMap<>();
    ConnectedComponents.run(graph, any, any)
        .vertices()
        .toJavaRDD()
        .collect()
        .forEach(vertex -> sizes.merge(vertex._2(), 1, Integer::sum));
    return sizes.toString();
  }

  /** Iceberg's catalog has one folder for the tables of all runs. */
  private static String folderName(Path result) {
    return result.getParent().getFileName().toString().replace("-", "");
  }

  /** What tables of files cannot do: rows change, and the table of before is still there. */
  private static String table(SparkSession spark, String name, String format) {
    spark.conf().set("spark.sql.shuffle.partitions", "2");
    spark.sql("CREATE TABLE " + name + " (k bigint, v string) USING " + format);
    spark.sql("INSERT INTO " + name + " SELECT id, concat('v', id % 5) FROM range(0, 100, 1, 2)");
    spark.sql("DELETE FROM " + name + " WHERE k >= 90");
    spark.sql(
        "MERGE INTO "
            + name
            + " t USING (SELECT id AS k FROM range(80, 95)) s ON t.k = s.k"
            + " WHEN MATCHED THEN UPDATE SET v = 'old' WHEN NOT MATCHED THEN INSERT (k, v)"
            + " VALUES (s.k, 'new')");
    return spark
        .sql("SELECT v, count(*), sum(k) FROM " + name + " GROUP BY v ORDER BY v")
        .collectAsList()
        .toString();
  }

  private static String streaming(SparkSession spark, Path folder) throws Exception {
    Files.createDirectory(folder);
    for (int i = 0; i < 4; i++) {
      Files.write(
          folder.resolve("part-" + i), IntStream.range(0, 500).mapToObj(n -> "n" + n % 9).toList());
    }
    spark.conf().set("spark.sql.shuffle.partitions", "2");
    spark
        .readStream()
        .option("maxFilesPerTrigger", 1)
        .textFile(folder.toUri().toString())
        .groupBy("value")
        .count()
        .writeStream()
        .outputMode("complete")
        .format("memory")
        .queryName("counts")
        .option("checkpointLocation", folder.resolveSibling("checkpoint").toUri().toString())
        .trigger(Trigger.AvailableNow())
        .start()
        .awaitTermination();
    List<Row> rows = spark.table("counts").orderBy(desc("count"), col("value")).collectAsList();
    return rows.toString();
  }
}
