// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Queries with names, and what a session has to begin with. Once each has run, none needs another
 * before it: those that write tables write the same each time.
 */
public final class HiveQueries {
  private static final String NAME = "-- ";

  private final String preparation;
  private final List<String> queries;

  private HiveQueries(String preparation, List<String> queries) {
    this.preparation = preparation;
    this.queries = List.copyOf(queries);
  }

  /** Those of a text in which a line with a name begins each. */
  static HiveQueries parse(String text) {
    List<String> parts = Arrays.asList(text.split("(?m)^" + NAME));
    return new HiveQueries(parts.get(0), parts.subList(1, parts.size()));
  }

  /** All of them in another order. */
  public HiveQueries mixed(long seed) {
    List<String> order = new ArrayList<>(queries);
    Collections.shuffle(order, new Random(seed));
    return new HiveQueries(preparation, order);
  }

  /** Each by itself. */
  public List<HiveQueries> single() {
    return queries.stream().map(query -> new HiveQueries(preparation, List.of(query))).toList();
  }

  /** The names in their order. */
  public List<String> names() {
    return queries.stream().map(query -> query.lines().findFirst().orElseThrow()).toList();
  }

  /** What a session runs. */
  String text() {
    StringBuilder text = new StringBuilder(preparation);
    queries.forEach(query -> text.append(NAME).append(query));
    return text.toString();
  }
}
