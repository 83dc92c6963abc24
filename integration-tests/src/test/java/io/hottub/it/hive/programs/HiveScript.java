// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Runs the statements of a file in one session of HiveServer2, as beeline does, and prints the rows
 * of each in one order. A statement that fails ends only itself. A line with a name ({@code -- the
 * name}) begins a query of one statement or several; how long it took is in standard error.
 */
public final class HiveScript {
  private HiveScript() {}

  public static void main(String[] arguments) throws Exception {
    String[] queries = Files.readString(Path.of(arguments[1])).split("(?m)^-- ");
    try (Connection connection = DriverManager.getConnection(arguments[0], "hive", "");
        Statement hive = connection.createStatement()) {
      run(hive, queries[0]);
      for (String query : Arrays.asList(queries).subList(1, queries.length)) {
        String[] nameAndText = query.split("\n", 2);
        System.out.println("-- " + nameAndText[0]);
        long start = System.nanoTime();
        run(hive, nameAndText[1]);
        long millis = (System.nanoTime() - start) / 1_000_000;
        System.err.println("took " + millis + " ms: " + nameAndText[0]);
      }
    }
  }

  private static void run(Statement hive, String statements) throws SQLException {
    for (String statement : statements.split(";\\s*(\\n|$)")) {
      String sql = statement.strip();
      if (sql.isEmpty()) {
        continue;
      }
      System.out.println("> " + sql.replaceAll("\\s+", " "));
      try {
        if (hive.execute(sql)) {
          print(hive.getResultSet());
        }
      } catch (SQLException e) {
        System.out.println("fails, error " + e.getErrorCode() + ", state " + e.getSQLState());
        e.getMessage()
            .lines()
            .filter(cause -> cause.startsWith("Caused by: "))
            .distinct()
            .forEach(System.out::println);
        System.err.println(e.getMessage());
      }
    }
  }

  private static void print(ResultSet result) throws SQLException {
    List<String> rows = new ArrayList<>();
    int columns = result.getMetaData().getColumnCount();
    while (result.next()) {
      List<String> row = new ArrayList<>();
      for (int column = 1; column <= columns; column++) {
        row.add(result.getString(column));
      }
      rows.add(String.join("\t", row));
    }
    Collections.sort(rows);
    rows.forEach(System.out::println);
  }
}
