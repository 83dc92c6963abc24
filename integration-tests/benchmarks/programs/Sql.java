// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A group-by. */
public class Sql {
  public static void main(String[] args) {
    SparkSession spark = SparkSession.builder().appName("Sql").getOrCreate();
    spark
        .range(0, 200_000)
        .selectExpr("id % 17 as k", "id as v", "cast(id % 5 as string) as t")
        .createOrReplaceTempView("x");
    String query =
        "select k, t, count(*) c, sum(v) s, avg(v) m from x where v % 3 <> 0"
            + " group by k, t order by k, t limit 20";
    for (Row row : spark.sql(query).collectAsList()) {
      System.out.println(row);
    }
    spark.stop();
  }
}
