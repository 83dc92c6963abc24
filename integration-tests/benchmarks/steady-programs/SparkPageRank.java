// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/** Spark's example of page ranks: joins and reductions of pairs. */
public class SparkPageRank {
  public static void main(String[] args) throws Exception {
    try (SparkSession spark = SparkSession.builder().appName("SparkPageRank").getOrCreate()) {
      JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
      context.setLogLevel("ERROR");
      Random random = new Random(1);
      List<Tuple2<Integer, Integer>> edges = new ArrayList<>();
      for (int i = 0; i < 50_000; i++) {
        edges.add(
            new Tuple2<>(random.nextInt(5_000), (int) Math.abs(random.nextGaussian() * 2_000)));
      }
      JavaPairRDD<Integer, Iterable<Integer>> links =
          context.parallelizePairs(edges, 2).groupByKey(2).cache();
      Steady.run(args, () -> ranks(links));
    }
  }

  static long ranks(JavaPairRDD<Integer, Iterable<Integer>> links) {
    JavaPairRDD<Integer, Double> ranks = links.mapValues(l -> 1.0);
    for (int i = 0; i < 3; i++) {
      ranks =
          links
              .join(ranks)
              .values()
              .flatMapToPair(
                  x -> {
                    List<Integer> targets = new ArrayList<>();
                    x._1().forEach(targets::add);
                    return targets.stream()
                        .map(t -> new Tuple2<>(t, x._2() / targets.size()))
                        .iterator();
                  })
              .reduceByKey(Double::sum)
              .mapValues(sum -> 0.15 + sum * 0.85);
    }
    return ranks.count();
  }
}
