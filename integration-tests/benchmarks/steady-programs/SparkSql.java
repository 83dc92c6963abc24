// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import org.apache.spark.sql.SparkSession;

/** Queries with joins and groups, one after the other in one session. */
public class SparkSql {
  public static void main(String[] args) throws Exception {
    try (SparkSession spark = SparkSession.builder().appName("SparkSql").getOrCreate()) {
      spark.sparkContext().setLogLevel("ERROR");
      spark
          .range(0, 500_000)
          .selectExpr("id % 1009 as k", "id as v", "cast(id % 5 as string) as t")
          .createOrReplaceTempView("sales");
      spark
          .range(0, 1009)
          .selectExpr("id as k", "concat('shop', id % 100) as shop")
          .createOrReplaceTempView("shops");
      String query =
          "select shop, t, count(*) c, sum(v) s, avg(v) m, max(length(shop || t)) l from sales join shops"
              + " using (k) where v % 3 <> 0 group by shop, t order by s desc, shop, t limit 50";
      Steady.run(args, () -> spark.sql(query).collectAsList().toString());
    }
  }
}
