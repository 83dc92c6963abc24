// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.quickstart;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Decision support queries on Spark.
 *
 * <pre>
 * TpcJob generate FOLDER SCALE         writes all tables as Parquet
 * TpcJob query FOLDER SUITE/NAME [N]   prints the rows of one query, sorted; N times in one process
 * </pre>
 *
 * <p>The text of a query is in {@code FOLDER/SUITE/sql/NAME.sql}. What the query took goes to the
 * standard error, a line each time.
 */
public final class TpcJob {
  private TpcJob() {}

  public static void main(String[] args) throws IOException {
    if (args.length == 3 && args[0].equals("generate")) {
      try (SparkSession spark = SparkSession.builder().appName("tables").getOrCreate()) {
        new TpcData(spark, Double.parseDouble(args[2])).write(args[1]);
      }
    } else if ((args.length == 3 || args.length == 4)
        && args[0].equals("query")
        && args[2].matches("[a-z]+/[a-z0-9]+")) {
      try (SparkSession spark = SparkSession.builder().appName(args[2]).getOrCreate()) {
        query(spark, args[1], args[2], args.length == 4 ? Integer.parseInt(args[3]) : 1);
      }
    } else {
      System.err.println("usage: TpcJob generate FOLDER SCALE | query FOLDER SUITE/NAME [TIMES]");
      System.exit(2);
    }
  }

  private static void query(SparkSession spark, String folder, String name, int times)
      throws IOException {
    String suite = name.substring(0, name.indexOf('/'));
    String sql = read(spark, folder + "/" + name.replace("/", "/sql/") + ".sql");
    for (String table : TpcData.names(suite)) {
      spark
          .read()
          .parquet(folder + "/" + TpcData.folder(suite, table))
          .createOrReplaceTempView(table);
    }
    Row[] rows = {};
    for (int i = 0; i < times; i++) {
      long start = System.nanoTime();
      rows = (Row[]) spark.sql(sql).collect();
      System.err.printf("in-application ms: %d%n", (System.nanoTime() - start) / 1_000_000);
    }
    // Rows that are equal in the query's order come in any.
    for (String line :
        (Iterable<String>) java.util.Arrays.stream(rows).map(Row::toString).sorted()::iterator) {
      System.out.println(line);
    }
    System.out.println(rows.length + " rows");
  }

  private static String read(SparkSession spark, String file) throws IOException {
    Path path = new Path(file);
    try (InputStream in =
        path.getFileSystem(spark.sparkContext().hadoopConfiguration()).open(path)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
