// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The rows of the tables that Hive's tests query, as text. */
final class HiveTables {
  static final int SALES = 20_000;
  private static final int ITEMS = 200;
  private static final int CUSTOMERS = 500;
  private static final int DAYS = 730;

  private HiveTables() {}

  /** The same each time, without an order that a query could profit from. */
  static void write(Path folder) throws IOException {
    Files.createDirectory(folder);
    StringBuilder sales = new StringBuilder();
    for (int i = 0; i < SALES; i++) {
      int item = 1 + i * 7919 % ITEMS;
      int customer = 1 + (int) (i * 104_729L % CUSTOMERS);
      sales.append(
          "%d|%d|%d|%d|%d|%d.%02d%n"
              .formatted(
                  1 + i % DAYS, item, customer, i % 4, 1 + i * 31 % 10, i * 17 % 101, i % 100));
    }
    Files.writeString(folder.resolve("sales"), sales);
    StringBuilder items = new StringBuilder();
    for (int i = 1; i <= ITEMS; i++) {
      items.append("%d|brand%d|category%d%n".formatted(i, i % 20, i % 5));
    }
    Files.writeString(folder.resolve("item"), items);
    StringBuilder customers = new StringBuilder();
    for (int i = 1; i <= CUSTOMERS; i++) {
      customers.append("%d|name%d|S%d%n".formatted(i, i, i % 8));
    }
    Files.writeString(folder.resolve("customer"), customers);
    StringBuilder dates = new StringBuilder();
    for (int i = 0; i < DAYS; i++) {
      dates.append("%d|%d|%d%n".formatted(i + 1, 2000 + i / 365, 1 + i % 365 / 31));
    }
    Files.writeString(folder.resolve("dates"), dates);
  }
}
