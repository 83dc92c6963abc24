// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.ml.recommendation.ALS;
import org.apache.spark.ml.recommendation.ALSModel;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Spark's matrix factorisation of ratings. */
public class SparkAls {
  public static void main(String[] args) throws Exception {
    try (SparkSession spark = SparkSession.builder().appName("SparkAls").getOrCreate()) {
      spark.sparkContext().setLogLevel("ERROR");
      Random random = new Random(1);
      List<Row> rows = new ArrayList<>();
      for (int i = 0; i < 20_000; i++) {
        rows.add(
            RowFactory.create(random.nextInt(500), random.nextInt(300), random.nextFloat() * 5));
      }
      StructType type =
          new StructType()
              .add("user", DataTypes.IntegerType)
              .add("item", DataTypes.IntegerType)
              .add("rating", DataTypes.FloatType);
      Dataset<Row> ratings = spark.createDataFrame(rows, type).coalesce(2).cache();
      ALS als = new ALS().setMaxIter(3).setRank(10).setSeed(1).setNumBlocks(2);
      Steady.run(
          args,
          () -> {
            ALSModel model = als.fit(ratings);
            return model.userFactors().count() + model.itemFactors().count();
          });
    }
  }
}
