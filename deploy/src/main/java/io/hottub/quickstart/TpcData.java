// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.quickstart;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/**
 * Tables with the columns of TPC-H and, as far as its ten queries need them, of TPC-DS. The rows
 * are ours: every value is a hash of its row's number, so that all runs on all machines have the
 * same ones; the words and ranges are those that the queries look for. Amounts are decimals: sums
 * do not depend on the order of their parts.
 */
final class TpcData {
  private static final String NATIONS =
      "ALGERIA 0,ARGENTINA 1,BRAZIL 1,CANADA 1,EGYPT 4,ETHIOPIA 0,FRANCE 3,GERMANY 3,INDIA 2,"
          + "INDONESIA 2,IRAN 4,IRAQ 4,JAPAN 2,JORDAN 4,KENYA 0,MOROCCO 0,MOZAMBIQUE 0,PERU 1,"
          + "CHINA 2,ROMANIA 3,SAUDI ARABIA 4,VIETNAM 2,RUSSIA 3,UNITED KINGDOM 3,UNITED STATES 1";
  private static final String REGIONS = "AFRICA,AMERICA,ASIA,EUROPE,MIDDLE EAST";
  private static final String COLOURS =
      "almond,blue,coral,cream,forest,green,honeydew,ivory,khaki,lemon,linen,navy,olive,orange,"
          + "peach,plum,rose,salmon,sienna,tan";

  private final SparkSession spark;
  private final Map<String, Dataset<Row>> tables = new LinkedHashMap<>();

  /**
   * @param scale 1.0: the number of rows of TPC-H at scale factor 1, 6 million in the largest table
   */
  TpcData(SparkSession spark, double scale) {
    this.spark = spark;
    tpch(Math.max(100, Math.round(10_000 * scale)), scale);
    tpcds(scale);
  }

  void write(String folder) {
    tables.forEach(
        (name, rows) -> rows.write().mode(SaveMode.Overwrite).parquet(folder + "/" + name));
  }

  static List<String> names(String suite) {
    String names =
        switch (suite) {
          case "tpch" -> "region nation supplier part partsupp customer orders lineitem";
          case "tpcds" ->
              "date_dim item store customer_demographics household_demographics promotion"
                  + " customer_address customer store_sales";
          default -> throw new IllegalArgumentException("no such suite: " + suite);
        };
    return List.of(names.split(" "));
  }

  /** Tables of both suites are named "customer". */
  static String folder(String suite, String table) {
    return suite + "/" + table;
  }

  // ---- TPC-H

  private void tpch(long suppliers, double scale) {
    long parts = 20 * suppliers;
    long customers = Math.round(150_000 * scale);
    long orders = Math.round(1_500_000 * scale);
    tpch("region", 5, "id AS r_regionkey", word("id", REGIONS) + " AS r_name", "'' AS r_comment");
    tpch(
        "nation",
        25,
        "id AS n_nationkey",
        "regexp_replace(" + word("id", NATIONS) + ", ' [0-9]$', '') AS n_name",
        "cast(right(" + word("id", NATIONS) + ", 1) AS bigint) AS n_regionkey",
        "'' AS n_comment");
    tpch(
        "supplier",
        suppliers,
        "id + 1 AS s_suppkey",
        "format_string('Supplier#%09d', id + 1) AS s_name",
        "concat('address ', hex(xxhash64(id, 1))) AS s_address",
        hash(2, 25) + " AS s_nationkey",
        phone(hash(2, 25)) + " AS s_phone",
        amount(3, -99_999, 999_999) + " AS s_acctbal",
        "if(" + hash(4, 50) + " = 0, 'a Customer with Complaints', 'fine') AS s_comment");
    String price = "90000 + pmod(div(key, 10), 20001) + 100 * pmod(key, 1000)";
    tpch(
        "part",
        parts,
        "id + 1 AS p_partkey",
        "concat_ws(' ', "
            + word(hash(11, 20), COLOURS)
            + ", "
            + word(hash(12, 20), COLOURS)
            + ", "
            + word(hash(13, 20), COLOURS)
            + ") AS p_name",
        "concat('Manufacturer#', 1 + " + hash(14, 5) + ") AS p_mfgr",
        "concat('Brand#', 1 + " + hash(14, 5) + ", 1 + " + hash(15, 5) + ") AS p_brand",
        "concat_ws(' ', "
            + word(hash(16, 6), "STANDARD,SMALL,MEDIUM,LARGE,ECONOMY,PROMO")
            + ", "
            + word(hash(17, 5), "ANODIZED,BURNISHED,PLATED,POLISHED,BRUSHED")
            + ", "
            + word(hash(18, 5), "TIN,NICKEL,BRASS,STEEL,COPPER")
            + ") AS p_type",
        "cast(1 + " + hash(19, 50) + " AS int) AS p_size",
        "concat_ws(' ', "
            + word(hash(20, 5), "SM,LG,MED,JUMBO,WRAP")
            + ", "
            + word(hash(21, 8), "CASE,BOX,BAG,JAR,PKG,PACK,CAN,DRUM")
            + ") AS p_container",
        cents(price.replace("key", "(id + 1)")) + " AS p_retailprice",
        "'' AS p_comment");
    tpch(
        "partsupp",
        4 * parts,
        "div(id, 4) + 1 AS ps_partkey",
        supplierOf("div(id, 4)", "pmod(id, 4)", suppliers) + " AS ps_suppkey",
        "cast(1 + " + hash(31, 9_999) + " AS int) AS ps_availqty",
        amount(32, 100, 100_000) + " AS ps_supplycost",
        "'' AS ps_comment");
    tpch(
        "customer",
        customers,
        "id + 1 AS c_custkey",
        "format_string('Customer#%09d', id + 1) AS c_name",
        "concat('address ', hex(xxhash64(id, 41))) AS c_address",
        hash(42, 25) + " AS c_nationkey",
        phone(hash(42, 25)) + " AS c_phone",
        amount(43, -99_999, 999_999) + " AS c_acctbal",
        word(hash(44, 5), "AUTOMOBILE,BUILDING,FURNITURE,MACHINERY,HOUSEHOLD") + " AS c_mktsegment",
        "'' AS c_comment");
    // Every third customer has no order.
    String day = "date_add(date'1992-01-01', cast(pmod(xxhash64(id, 51), 2406) AS int))";
    tpch(
        "orders",
        orders,
        "id + 1 AS o_orderkey",
        "3 * pmod(xxhash64(id, 52), " + customers / 3 + ") + 1 AS o_custkey",
        "CASE WHEN "
            + day
            + " < date'1995-02-15' THEN 'F' WHEN "
            + day
            + " > date'1995-06-17' THEN 'O' ELSE 'P' END AS o_orderstatus",
        amount(53, 100_000, 50_000_000) + " AS o_totalprice",
        day + " AS o_orderdate",
        word(hash(54, 5), "1-URGENT,2-HIGH,3-MEDIUM,4-NOT SPECIFIED,5-LOW") + " AS o_orderpriority",
        "format_string('Clerk#%09d', 1 + " + hash(55, 1_000) + ") AS o_clerk",
        "0 AS o_shippriority",
        "if(" + hash(56, 80) + " = 0, 'some special and other requests', 'none') AS o_comment");
    String sold = day.replace("id", "o");
    String shipped = "date_add(" + sold + ", cast(1 + " + hash(63, 121) + " AS int))";
    String received = "date_add(" + shipped + ", cast(1 + " + hash(64, 30) + " AS int))";
    String part = hash(61, parts);
    String quantity = "(1 + " + hash(65, 50) + ")";
    add(
        "tpch/lineitem",
        // Up to seven lines for each order, four in the mean.
        spark
            .range(0, 7 * orders, 1, 4)
            .selectExpr("id", "div(id, 7) AS o", "pmod(id, 7) AS line")
            .where("line <= pmod(xxhash64(o, 60), 7)"),
        "o + 1 AS l_orderkey",
        part + " + 1 AS l_partkey",
        supplierOf(part, hash(62, 4), suppliers) + " AS l_suppkey",
        "cast(line + 1 AS int) AS l_linenumber",
        "cast(" + quantity + " AS decimal(12,2)) AS l_quantity",
        cents(quantity + " * (" + price.replace("key", "(" + part + " + 1)") + ")")
            + " AS l_extendedprice",
        cents(hash(66, 11)) + " AS l_discount",
        cents(hash(67, 9)) + " AS l_tax",
        "if("
            + received
            + " > date'1995-06-17', 'N', "
            + word(hash(68, 2), "A,R")
            + ") AS l_returnflag",
        "if(" + shipped + " > date'1995-06-17', 'O', 'F') AS l_linestatus",
        shipped + " AS l_shipdate",
        "date_add(" + sold + ", cast(30 + " + hash(69, 61) + " AS int)) AS l_commitdate",
        received + " AS l_receiptdate",
        word(hash(70, 4), "DELIVER IN PERSON,COLLECT COD,NONE,TAKE BACK RETURN")
            + " AS l_shipinstruct",
        word(hash(71, 7), "AIR,AIR REG,RAIL,SHIP,TRUCK,MAIL,FOB") + " AS l_shipmode",
        "'' AS l_comment");
  }

  private static String supplierOf(String part, String which, long suppliers) {
    return String.format(
        "pmod(%1$s + %2$s * (%3$d + div(%1$s, %4$d)), %4$d) + 1",
        part, which, suppliers / 4, suppliers);
  }

  private static String phone(String nation) {
    return "concat_ws('-', 10 + "
        + nation
        + ", 100 + "
        + hash(5, 900)
        + ", 1000 + "
        + hash(6, 9_000)
        + ")";
  }

  private void tpch(String table, long rows, String... columns) {
    add("tpch/" + table, spark.range(0, rows, 1, 2).toDF(), columns);
  }

  // ---- TPC-DS

  private void tpcds(double scale) {
    long items = Math.round(18_000 * scale) + 200;
    long customers = Math.round(100_000 * scale) + 100;
    long addresses = customers / 2;
    long sales = Math.round(5_000_000 * scale);
    String day = "date_add(date'1998-01-01', cast(id AS int))";
    tpcds(
        "date_dim",
        6 * 365 + 1,
        "id AS d_date_sk",
        day + " AS d_date",
        "year(" + day + ") AS d_year",
        "month(" + day + ") AS d_moy",
        "day(" + day + ") AS d_dom",
        "date_format(" + day + ", 'EEEE') AS d_day_name");
    String category = word(hash(1, 6), "Books,Home,Sports,Music,Women,Men");
    tpcds(
        "item",
        items,
        "id AS i_item_sk",
        "format_string('ITEM%012d', id) AS i_item_id",
        "concat('item ', hex(xxhash64(id, 2))) AS i_item_desc",
        cents("100 + " + hash(3, 9_900)) + " AS i_current_price",
        "cast(" + hash(4, 1_000) + " AS int) AS i_brand_id",
        "concat('brand ', " + hash(4, 1_000) + ") AS i_brand",
        "concat('class ', " + hash(5, 16) + ") AS i_class",
        "cast(" + hash(1, 6) + " AS int) AS i_category_id",
        category + " AS i_category",
        "cast(100 + " + hash(6, 50) + " AS int) AS i_manufact_id",
        "concat('manufacturer ', " + hash(6, 50) + ") AS i_manufact",
        "cast(" + hash(7, 40) + " AS int) AS i_manager_id");
    tpcds(
        "store",
        12,
        "id AS s_store_sk",
        "format_string('STORE%011d', id) AS s_store_id",
        "concat('store ', id) AS s_store_name",
        word("pmod(id, 3)", "Midway,Fairview,Oakland") + " AS s_city",
        word("pmod(id, 2)", "Williamson County,Orange County") + " AS s_county",
        "'TN' AS s_state",
        "format_string('%05d', 10000 + 7 * id) AS s_zip",
        "cast(-5 AS decimal(5,2)) AS s_gmt_offset");
    tpcds(
        "customer_demographics",
        70,
        "id AS cd_demo_sk",
        word("pmod(id, 2)", "M,F") + " AS cd_gender",
        word("pmod(div(id, 2), 5)", "S,M,D,W,U") + " AS cd_marital_status",
        word(
                "div(id, 10)",
                "College,Primary,Secondary,2 yr Degree,4 yr Degree,Advanced Degree,Unknown")
            + " AS cd_education_status");
    tpcds(
        "household_demographics",
        200,
        "id AS hd_demo_sk",
        "cast(pmod(id, 10) AS int) AS hd_dep_count",
        "cast(pmod(div(id, 10), 5) AS int) AS hd_vehicle_count",
        word("div(id, 50)", ">10000,unknown,501-1000,0-500") + " AS hd_buy_potential");
    tpcds(
        "promotion",
        30,
        "id AS p_promo_sk",
        word("pmod(id, 3)", "N,Y,N") + " AS p_channel_email",
        word("pmod(id, 2)", "N,Y") + " AS p_channel_event");
    tpcds(
        "customer_address",
        addresses,
        "id AS ca_address_sk",
        word(hash(11, 5), "Midway,Fairview,Oakland,Salem,Union") + " AS ca_city",
        "format_string('%05d', 10000 + " + hash(12, 5_000) + ") AS ca_zip");
    tpcds(
        "customer",
        customers,
        "id AS c_customer_sk",
        hash(21, addresses) + " AS c_current_addr_sk",
        "concat('First', " + hash(22, 500) + ") AS c_first_name",
        "concat('Last', " + hash(23, 2_000) + ") AS c_last_name",
        word(hash(24, 3), "Dr.,Ms.,Mr.") + " AS c_salutation",
        word(hash(25, 2), "Y,N") + " AS c_preferred_cust_flag");
    String quantity = "(1 + " + hash(36, 100) + ")";
    String list = "(100 + " + hash(37, 20_000) + ")";
    add(
        "tpcds/store_sales",
        // Eight lines for each ticket, which has one day, store, customer, household, and address.
        spark.range(0, sales, 1, 4).selectExpr("id", "div(id, 8) AS t"),
        of("t", 31, 6 * 365 + 1) + " AS ss_sold_date_sk",
        hash(32, items) + " AS ss_item_sk",
        of("t", 33, customers) + " AS ss_customer_sk",
        of("t", 34, 70) + " AS ss_cdemo_sk",
        of("t", 35, 200) + " AS ss_hdemo_sk",
        of("t", 38, addresses) + " AS ss_addr_sk",
        of("t", 39, 12) + " AS ss_store_sk",
        hash(40, 30) + " AS ss_promo_sk",
        "t AS ss_ticket_number",
        "cast(" + quantity + " AS int) AS ss_quantity",
        cents(list) + " AS ss_list_price",
        cents("div(" + list + " * (50 + " + hash(41, 51) + "), 100)") + " AS ss_sales_price",
        cents(quantity + " * div(" + list + " * (50 + " + hash(41, 51) + "), 100)")
            + " AS ss_ext_sales_price",
        cents(quantity + " * " + list) + " AS ss_ext_list_price",
        cents("div(" + quantity + " * " + list + ", 20)") + " AS ss_ext_tax",
        cents(hash(42, 500)) + " AS ss_coupon_amt");
  }

  private void tpcds(String table, long rows, String... columns) {
    add("tpcds/" + table, spark.range(0, rows, 1, 2).toDF(), columns);
  }

  // ---- expressions of one row, whose number is "id"

  private static String hash(int salt, long below) {
    return of("id", salt, below);
  }

  private static String of(String number, int salt, long below) {
    return "pmod(xxhash64(" + number + ", " + salt + "), " + below + ")";
  }

  private static String word(String index, String words) {
    String quoted =
        List.of(words.split(",")).stream().map(w -> "'" + w + "'").collect(Collectors.joining(","));
    return "element_at(array(" + quoted + "), cast(1 + " + index + " AS int))";
  }

  private static String cents(String number) {
    return "cast((" + number + ") / cast(100 AS decimal(20,0)) AS decimal(12,2))";
  }

  private static String amount(int salt, long from, long to) {
    return cents(from + " + " + hash(salt, to - from));
  }

  private void add(String name, Dataset<Row> rows, String... columns) {
    List<String> all = new ArrayList<>(List.of(columns));
    tables.put(name, rows.selectExpr(all.toArray(String[]::new)));
  }
}
