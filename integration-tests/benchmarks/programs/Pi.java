// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** Spark's example SparkPi, with points that are the same in every run. */
public class Pi {
  public static void main(String[] args) {
    SparkSession spark = SparkSession.builder().appName("Pi").getOrCreate();
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    int slices = 2;
    int points = 100_000 * slices;
    List<Integer> numbers = IntStream.range(0, points).boxed().collect(Collectors.toList());
    int inside =
        context
            .parallelize(numbers, slices)
            .map(
                i -> {
                  double x = ((i * 7919L) % 100003) / 100003.0 * 2 - 1;
                  double y = ((i * 104729L) % 99991) / 99991.0 * 2 - 1;
                  return x * x + y * y <= 1 ? 1 : 0;
                })
            .reduce(Integer::sum);
    System.out.println("Pi is roughly " + 4.0 * inside / points);
    spark.stop();
  }
}
