// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.NativeCodeLoader;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.resource.ExecutorResourceRequests;
import org.apache.spark.resource.ResourceProfileBuilder;
import org.apache.spark.resource.TaskResourceRequests;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/**
 * A Spark application, of two tasks at once where it does not say otherwise.
 *
 * <pre>
 * SparkJob sums RESULT   writes the result of a shuffle, and random numbers to RESULT.randoms
 * SparkJob wait FOLDER   driver and tasks write their process ids there; first attempts of tasks wait
 *                        for the file "go"; then writes "result"
 * SparkJob burst FOLDER  writes the driver's process id there when all executors have registered, waits
 *                        for the file "go", and writes "result" with a task for each executor
 * SparkJob fill RESULT   the first attempt of one task gets an OutOfMemoryError
 * SparkJob elastic RESULT writes results of executors that have gone since, and of others with more
 *                        memory
 * SparkJob library RESULT writes what Library.name() is in the driver and in tasks
 * SparkJob files RESULT FOLDER writes numbers to a folder of Hadoop's file system, and what driver
 *                        and tasks see of them and of the user
 * SparkJob tables FOLDER writes the tables "items" and "orders"
 * SparkJob query FOLDER  writes the answer of a query on them, and what it took to FOLDER/millis
 * </pre>
 */
public final class SparkJob {
  private static final int TASKS = 2;
  private static final int NUMBERS = 20_000;

  public static void main(String[] args) throws Exception {
    Path path = Path.of(args[1]);
    try (JavaSparkContext spark = new JavaSparkContext(new SparkConf())) {
      switch (args[0]) {
        case "sums" -> {
          Files.writeString(path, sums(spark));
          Files.write(path.resolveSibling(path.getFileName() + ".randoms"), randoms(spark));
        }
        case "wait" -> Files.writeString(path.resolve("result"), waits(spark, path.toString()));
        case "burst" -> Files.writeString(path.resolve("result"), burst(spark, path));
        case "fill" -> Files.writeString(path, fills(spark));
        case "elastic" -> Files.writeString(path, elastic(spark));
        case "library" -> Files.writeString(path, library(spark));
        case "files" -> Files.writeString(path, files(spark, args[2]));
        case "tables" -> writeTables(SparkSession.builder().getOrCreate(), path);
        case "query" -> query(SparkSession.builder().getOrCreate(), path);
        default -> throw new IllegalArgumentException(args[0]);
      }
    }
  }

  private static String sums(JavaSparkContext spark) {
    return sums(spark, TASKS);
  }

  private static String sums(JavaSparkContext spark, int tasks) {
    List<Integer> numbers = IntStream.range(0, NUMBERS).boxed().toList();
    return spark
        .parallelize(numbers, tasks)
        .mapToPair(n -> new Tuple2<>(n % 17, (long) n * n))
        .reduceByKey(Long::sum)
        .sortByKey()
        .collect()
        .toString();
  }

  /** Of Spark itself, whose seed is random, and of tasks. */
  private static List<String> randoms(JavaSparkContext spark) {
    List<Integer> numbers = IntStream.range(0, NUMBERS).boxed().toList();
    List<String> randoms = new ArrayList<>();
    randoms.add(spark.parallelize(numbers, TASKS).takeSample(false, 5).toString());
    randoms.add(UUID.randomUUID().toString());
    randoms.addAll(
        spark
            .parallelize(List.of(1, 2), TASKS)
            .map(n -> Math.random() + " " + new Random().nextLong() + " " + UUID.randomUUID())
            .collect());
    return randoms;
  }

  private static String burst(JavaSparkContext spark, Path folder) throws Exception {
    announce(folder, "driver");
    awaitGo(folder);
    return sums(spark, spark.getConf().getInt("spark.executor.instances", TASKS));
  }

  private static String waits(JavaSparkContext spark, String folder) throws IOException {
    announce(Path.of(folder), "driver");
    return spark
        .parallelize(List.of(1, 2), TASKS)
        .map(
            n -> {
              if (TaskContext.get().attemptNumber() == 0) {
                waitForGo(Path.of(folder));
              }
              return n * 10;
            })
        .collect()
        .toString();
  }

  /** The process itself: what Java calls the process is the run's business. */
  private static void announce(Path folder, String name) throws IOException {
    String pid = Path.of("/proc/self").toRealPath().getFileName().toString();
    Path draft = Files.writeString(folder.resolve(".pid-" + name), pid);
    Files.move(draft, folder.resolve("pid-" + name));
  }

  private static void waitForGo(Path folder) throws IOException, InterruptedException {
    System.out.println("task " + TaskContext.getPartitionId());
    announce(folder, Integer.toString(TaskContext.getPartitionId()));
    awaitGo(folder);
  }

  private static void awaitGo(Path folder) throws InterruptedException {
    while (!Files.exists(folder.resolve("go"))) {
      Thread.sleep(50);
    }
  }

  private static String library(JavaSparkContext spark) throws Exception {
    return libraryName()
        + spark
            .parallelize(List.of(1, 2), TASKS)
            .repartition(TASKS)
            .map(n -> libraryName())
            .collect();
  }

  private static String libraryName() throws ReflectiveOperationException {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return (String) loader.loadClass("Library").getMethod("name").invoke(null);
  }

  private static String elastic(JavaSparkContext spark) throws InterruptedException {
    CountDownLatch removed = executorsRemoved(spark, TASKS);
    String before = sums(spark);
    if (!removed.await(60, TimeUnit.SECONDS)) {
      return "executors stay";
    }
    ExecutorResourceRequests larger = new ExecutorResourceRequests().memory("640m").cores(1);
    ResourceProfileBuilder profile = new ResourceProfileBuilder();
    profile.require(larger).require(new TaskResourceRequests().cpus(1));
    return before
        + spark
            .parallelize(List.of(1, 2), TASKS)
            .withResources(profile.build())
            .map(n -> Runtime.getRuntime().maxMemory() >> 20)
            .collect();
  }

  private static String files(JavaSparkContext spark, String folder) throws IOException {
    List<Integer> numbers = IntStream.range(0, NUMBERS).boxed().toList();
    spark.parallelize(numbers, TASKS).map(n -> n + " " + user()).saveAsTextFile(folder);
    FileStatus written =
        FileSystem.get(spark.hadoopConfiguration())
            .getFileStatus(new org.apache.hadoop.fs.Path(folder, "part-00000"));
    List<String> read = spark.textFile(folder, TASKS).distinct().sortBy(n -> n, true, 1).take(3);
    return user() + ", files of " + written.getOwner() + ": " + read;
  }

  /**
   * The user of this process, whether it has Hadoop's native library, and the kinds of its tokens.
   */
  private static String user() throws IOException {
    UserGroupInformation user = UserGroupInformation.getCurrentUser();
    return user.getUserName()
        + (NativeCodeLoader.isNativeCodeLoaded() ? " (native)" : "")
        + user.getTokens().stream().map(token -> token.getKind().toString()).sorted().toList();
  }

  private static CountDownLatch executorsRemoved(JavaSparkContext spark, int count) {
    CountDownLatch removed = new CountDownLatch(count);
    spark
        .sc()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onExecutorRemoved(SparkListenerExecutorRemoved event) {
                removed.countDown();
              }
            });
    return removed;
  }

  private static String fills(JavaSparkContext spark) throws InterruptedException {
    CountDownLatch removed = executorsRemoved(spark, 1);
    String result =
        spark
            .parallelize(List.of(1, 2), TASKS)
            .map(
                n -> {
                  if (n == 1 && TaskContext.get().attemptNumber() == 0) {
                    fillHeap();
                  }
                  return n * 10;
                })
            .collect()
            .toString();
    // The task fails before YARN tells how the executor has ended.
    removed.await(60, TimeUnit.SECONDS);
    return result;
  }

  private static void writeTables(SparkSession spark, Path folder) {
    spark
        .range(1_000_000)
        .selectExpr("id % 100000 AS order", "id % 977 / 10 AS price", "pmod(hash(id), 7) AS kind")
        .write()
        .parquet(folder.resolve("items").toUri().toString());
    spark
        .range(100_000)
        .selectExpr("id AS order", "concat('customer ', pmod(hash(id), 999)) AS customer")
        .write()
        .parquet(folder.resolve("orders").toUri().toString());
  }

  private static void query(SparkSession spark, Path folder) throws IOException {
    long start = System.nanoTime();
    for (String table : List.of("items", "orders")) {
      String files = folder.resolve(table).toUri().toString();
      spark.read().parquet(files).createOrReplaceTempView(table);
    }
    List<Row> rows =
        spark
            .sql(
                "SELECT customer, sum(price) AS turnover, count(DISTINCT kind) AS kinds"
                    + " FROM items JOIN orders ON items.order = orders.order"
                    + " WHERE kind <> 3 AND price > 5 GROUP BY customer"
                    + " ORDER BY turnover DESC, customer LIMIT 10")
            .collectAsList();
    Files.writeString(folder.resolve("answer"), rows.toString());
    Files.writeString(folder.resolve("millis"), "" + (System.nanoTime() - start) / 1_000_000);
  }

  private static void fillHeap() {
    Object[] all = null;
    while (true) {
      all = new Object[] {all, new long[1 << 20]};
    }
  }
}
