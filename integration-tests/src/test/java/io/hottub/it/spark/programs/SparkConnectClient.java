// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import org.apache.spark.sql.connect.SparkSession;

/** Asks a Connect server for a sum: {@code URL}. */
public class SparkConnectClient {
  public static void main(String[] args) throws Exception {
    try (SparkSession spark = SparkSession.builder().remote(args[0]).getOrCreate()) {
      System.out.println("sum " + spark.range(1000).selectExpr("sum(id)").head().get(0));
    }
  }
}
