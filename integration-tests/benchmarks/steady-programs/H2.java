// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Random;

/** A database in memory: orders are entered, changed and summed up. */
public class H2 {
  public static void main(String[] args) throws Exception {
    Class.forName("org.h2.Driver");
    try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:orders")) {
      Steady.run(args, () -> orders(connection));
    }
  }

  static long orders(Connection connection) throws Exception {
    Random random = new Random(1);
    try (Statement statement = connection.createStatement()) {
      statement.execute("drop all objects");
      statement.execute(
          "create table orders(id int primary key, customer int, item varchar(20), amount int)");
      statement.execute("create index by_customer on orders(customer)");
    }
    connection.setAutoCommit(false);
    try (PreparedStatement insert =
            connection.prepareStatement("insert into orders values(?, ?, ?, ?)");
        PreparedStatement update =
            connection.prepareStatement("update orders set amount = amount + 1 where id = ?");
        PreparedStatement select =
            connection.prepareStatement(
                "select item, count(*), sum(amount) from orders where customer = ? group by item"
                    + " order by item")) {
      for (int i = 0; i < 4000; i++) {
        insert.setInt(1, i);
        insert.setInt(2, random.nextInt(50));
        insert.setString(3, "item" + random.nextInt(20));
        insert.setInt(4, random.nextInt(1000));
        insert.executeUpdate();
        update.setInt(1, random.nextInt(i + 1));
        update.executeUpdate();
        if (i % 100 == 99) {
          connection.commit();
        }
      }
      long sum = 0;
      for (int i = 0; i < 400; i++) {
        select.setInt(1, i % 50);
        try (ResultSet rows = select.executeQuery()) {
          while (rows.next()) {
            sum = sum * 31 + rows.getString(1).length() * rows.getLong(2) + rows.getLong(3);
          }
        }
      }
      return sum;
    }
  }
}
