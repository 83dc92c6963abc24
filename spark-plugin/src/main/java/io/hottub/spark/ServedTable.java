// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.spark;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.status.AppStatusStore;
import scala.Tuple2;
import scala.collection.JavaConverters;
import scala.collection.Seq;

/** What {@link LeaseTable} has put among the properties of an application, as a table of HTML. */
final class ServedTable {
  private static final Pattern SERVED =
      Pattern.compile(
          "(?<how>.*?)(, (?<by>lease \\d+ of JVM \\d+|clone \\d+))?"
              + "(, handed over in (?<handOver>[0-9.]+ ms))?"
              + "(, warm-up saved: (?<saved>[0-9.]+ s) of CPU.*)?");

  private static final Pattern COLD = Pattern.compile("cold: (?<reason>.*)");
  private static final Pattern WARM = Pattern.compile("warm,.*");

  private final Map<String, String> entries = new TreeMap<>(ServedTable::compare);

  /**
   * @param served what is told of each JVM, by its name
   */
  ServedTable(Map<String, String> served) {
    entries.putAll(served);
  }

  /** That of an application. */
  static ServedTable of(AppStatusStore store) {
    Map<String, String> served = new HashMap<>();
    for (Tuple2<String, String> property : properties(store)) {
      if (property._1().startsWith(LeaseTable.PREFIX)) {
        served.put(property._1().substring(LeaseTable.PREFIX.length()), property._2());
      }
    }
    return new ServedTable(served);
  }

  /** By name: the type of the result differs between the versions of Scala. */
  @SuppressWarnings("unchecked")
  private static Iterable<Tuple2<String, String>> properties(AppStatusStore store) {
    Object environment = store.environmentInfo();
    try {
      Object properties = environment.getClass().getMethod("sparkProperties").invoke(environment);
      return JavaConverters.seqAsJavaList((Seq<Tuple2<String, String>>) properties);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this release of Spark keeps properties otherwise", e);
    }
  }

  /** The driver first, and executors by their numbers. */
  private static int compare(String one, String other) {
    int byLength = Integer.compare(one.length(), other.length());
    return byLength != 0 ? byLength : one.compareTo(other);
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  String html() {
    long warm = entries.values().stream().filter(text -> WARM.matcher(text).matches()).count();
    StringBuilder html = new StringBuilder();
    html.append("<p>%d of %d JVMs were warm.</p>\n".formatted(warm, entries.size()))
        .append(
            "<table class=\"table table-bordered table-sm table-striped\" id=\"hottub-jvms\">\n")
        .append("<thead><tr><th>JVM</th><th>Served</th><th>By</th><th>Handed over in</th>")
        .append("<th>CPU that warm leases before have saved</th></tr></thead>\n<tbody>\n");
    entries.forEach((name, text) -> html.append(row(name, text)));
    return html.append("</tbody></table>\n").toString();
  }

  private static String row(String name, String text) {
    Matcher cold = COLD.matcher(text);
    Matcher served = SERVED.matcher(text);
    if (cold.matches() || !served.matches()) {
      String meaning = cold.matches() ? NotWarm.explained(cold.group("reason")) : "";
      return cells(name, text + meaning, null, null, null);
    }
    return cells(
        name,
        served.group("how"),
        served.group("by"),
        served.group("handOver"),
        served.group("saved"));
  }

  private static String cells(String... cells) {
    StringBuilder row = new StringBuilder("<tr>");
    for (String cell : cells) {
      row.append("<td>").append(escaped(Objects.toString(cell, ""))).append("</td>");
    }
    return row.append("</tr>\n").toString();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
