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
 * Runs the statements of some files in one session of HiveServer2, as beeline does, and prints the
 * rows of each in one order. A statement that fails ends only itself. How long those with a name
 * took is in standard error.
 */
public final class HiveScript {
  private HiveScript() {}

  public static void main(String[] arguments) throws Exception {
    StringBuilder text = new StringBuilder();
    for (String file : Arrays.asList(arguments).subList(1, arguments.length)) {
      text.append(Files.readString(Path.of(file)));
    }
    String[] statements = text.toString().split(";\\s*(\\n|$)");
    try (Connection connection = DriverManager.getConnection(arguments[0], "hive", "");
        Statement hive = connection.createStatement()) {
      for (String statement : statements) {
        String[] lines = statement.strip().split("\n", 2);
        boolean named = lines[0].startsWith("-- ");
        String sql = named ? lines[1] : statement;
        System.out.println("> " + sql.strip().replaceAll("\\s+", " "));
        long start = System.nanoTime();
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
        if (named) {
          long millis = (System.nanoTime() - start) / 1_000_000;
          System.err.println("took " + millis + " ms: " + lines[0].substring(3));
        }
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
