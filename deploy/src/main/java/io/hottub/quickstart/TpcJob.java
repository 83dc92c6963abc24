// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.quickstart;

import io.hottub.report.Stats;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Decision support queries on Spark.
 *
 * <pre>
 * TpcJob generate FOLDER SCALE             writes all tables as Parquet
 * TpcJob query FOLDER SUITE/NAME           prints the rows of one query, sorted
 * TpcJob warm FOLDER TIMES SUITE/NAME...   runs all of them in turn, so often, in one process, and
 *                                          prints for each the median of the later half, in ms
 * </pre>
 *
 * <p>The text of a query is in {@code FOLDER/SUITE/sql/NAME.sql}. What the query took goes to the
 * standard error.
 */
public final class TpcJob {
  private static final String NAME = "[a-z]+/[a-z0-9]+";

  private TpcJob() {}

  public static void main(String[] args) throws IOException {
    String what = args.length < 3 ? "" : args[0];
    if (args.length == 3 && what.equals("generate")) {
      try (SparkSession spark = SparkSession.builder().appName("tables").getOrCreate()) {
        new TpcData(spark, Double.parseDouble(args[2])).write(args[1]);
      }
    } else if (args.length == 3 && what.equals("query") && args[2].matches(NAME)) {
      try (SparkSession spark = SparkSession.builder().appName(args[2]).getOrCreate()) {
        print(new Query(spark, args[1], args[2]).run());
      }
    } else if (args.length > 3
        && what.equals("warm")
        && Arrays.stream(args).skip(3).allMatch(name -> name.matches(NAME))) {
      try (SparkSession spark = SparkSession.builder().appName("warm").getOrCreate()) {
        List<Query> queries = new ArrayList<>();
        for (String name : Arrays.asList(args).subList(3, args.length)) {
          queries.add(new Query(spark, args[1], name));
        }
        warm(queries, Integer.parseInt(args[2]));
      }
    } else {
      System.err.println(
          "usage: TpcJob generate FOLDER SCALE"
              + " | query FOLDER SUITE/NAME | warm FOLDER TIMES SUITE/NAME...");
      System.exit(2);
    }
  }

  private static void print(Row[] rows) {
    // Rows that are equal in the query's order come in any.
    Arrays.stream(rows).map(Row::toString).sorted().forEach(System.out::println);
    System.out.println(rows.length + " rows");
  }

  private static void warm(List<Query> queries, int times) {
    for (int i = 0; i < times; i++) {
      queries.forEach(Query::run);
    }
    for (Query query : queries) {
      double[] later = query.took.stream().skip(times / 2).mapToDouble(Long::doubleValue).toArray();
      System.out.printf("%s %.0f%n", query.name, Stats.median(later));
    }
  }

  /** One query of one suite. */
  private static final class Query {
    private final SparkSession spark;
    private final String folder;
    private final String name;
    private final String suite;
    private final String sql;
    private final List<Long> took = new ArrayList<>();

    Query(SparkSession spark, String folder, String name) throws IOException {
      this.spark = spark;
      this.folder = folder;
      this.name = name;
      suite = name.substring(0, name.indexOf('/'));
      sql = read(spark, folder + "/" + name.replace("/", "/sql/") + ".sql");
    }

    Row[] run() {
      // Suites have tables of the same names.
      for (String table : TpcData.names(suite)) {
        spark
            .read()
            .parquet(folder + "/" + TpcData.folder(suite, table))
            .createOrReplaceTempView(table);
      }
      long start = System.nanoTime();
      Row[] rows = (Row[]) spark.sql(sql).collect();
      took.add((System.nanoTime() - start) / 1_000_000);
      System.err.printf("in-application ms: %d%n", took.get(took.size() - 1));
      return rows;
    }
  }

  private static String read(SparkSession spark, String file) throws IOException {
    Path path = new Path(file);
    try (InputStream in =
        path.getFileSystem(spark.sparkContext().hadoopConfiguration()).open(path)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
