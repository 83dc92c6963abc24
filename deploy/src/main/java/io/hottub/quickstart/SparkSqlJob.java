// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.quickstart;

import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/**
 * The quickstart's Spark job.
 *
 * <pre>
 * SparkSqlJob generate FOLDER ROWS   writes the tables "orders" and "customers" as Parquet
 * SparkSqlJob query FOLDER           prints the result of one query over both, line by line
 * </pre>
 *
 * <p>All arithmetic is on integers, so that the result does not depend on the order of partial
 * sums.
 */
public final class SparkSqlJob {
  private static final int CUSTOMERS = 20_000;

  private static final String QUERY =
      """
      SELECT c.region, o.category, substr(o.day, 1, 7) AS month,
             count(*) AS orders,
             sum(o.quantity) AS items, sum(o.quantity * o.price_cents) AS cents,
             max(o.price_cents) AS dearest
      FROM orders o JOIN customers c ON o.customer = c.customer
      WHERE o.quantity > 1 AND c.segment <> 'internal'
      GROUP BY c.region, o.category, substr(o.day, 1, 7)
      ORDER BY cents DESC, region, category, month
      LIMIT 40
      """;

  private SparkSqlJob() {}

  public static void main(String[] args) {
    if (args.length == 3 && args[0].equals("generate")) {
      try (SparkSession spark = SparkSession.builder().appName("quickstart data").getOrCreate()) {
        generate(spark, args[1], Long.parseLong(args[2]));
      }
    } else if (args.length == 2 && args[0].equals("query")) {
      try (SparkSession spark = SparkSession.builder().appName("quickstart query").getOrCreate()) {
        query(spark, args[1]);
      }
    } else {
      System.err.println("usage: SparkSqlJob generate FOLDER ROWS | query FOLDER");
      System.exit(2);
    }
  }

  private static void generate(SparkSession spark, String folder, long rows) {
    spark
        .range(0, rows, 1, 4)
        .selectExpr(
            "id AS order_id",
            "cast(pmod(xxhash64(id, 1), " + CUSTOMERS + ") AS int) AS customer",
            "concat('category-', pmod(xxhash64(id, 2), 24)) AS category",
            "cast(1 + pmod(xxhash64(id, 3), 9) AS int) AS quantity",
            "99 + pmod(xxhash64(id, 4), 50000) AS price_cents",
            "cast(date_add(date'2024-01-01', cast(pmod(xxhash64(id, 5), 366) AS int)) AS string)"
                + " AS day")
        .write()
        .mode(SaveMode.Overwrite)
        .parquet(folder + "/orders");
    spark
        .range(0, CUSTOMERS, 1, 1)
        .selectExpr(
            "cast(id AS int) AS customer",
            "concat('region-', pmod(xxhash64(id, 6), 12)) AS region",
            "element_at(array('private', 'business', 'public', 'internal'),"
                + " cast(1 + pmod(xxhash64(id, 7), 4) AS int)) AS segment")
        .write()
        .mode(SaveMode.Overwrite)
        .parquet(folder + "/customers");
    System.out.println(spark.read().parquet(folder + "/orders").count());
  }

  private static void query(SparkSession spark, String folder) {
    spark.read().parquet(folder + "/orders").createOrReplaceTempView("orders");
    spark.read().parquet(folder + "/customers").createOrReplaceTempView("customers");
    List<Row> rows = spark.sql(QUERY).collectAsList();
    StringBuilder text = new StringBuilder();
    for (Row row : rows) {
      text.append(row.mkString("\t")).append('\n');
    }
    System.out.print(text);
    System.out.flush();
  }
}
