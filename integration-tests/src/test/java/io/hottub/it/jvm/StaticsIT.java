// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.jvm.StaticFields.Field;
import io.hottub.it.jvm.StaticFields.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The reset leaves classes of the class library alone, by their names. Each static field of theirs
 * is in statics.tsv, so that one that a newer JDK has is looked at. {@code
 * -Dhottub.docs.update=true} writes the file anew, with a question mark for each new one that may
 * change.
 */
@NeedsHome
class StaticsIT {
  private static final Path NATIVE = Path.of("..", "hottub-jvm");
  private static final Path FILE = NATIVE.resolve("statics.tsv");
  private static final Path CLASSES = NATIVE.resolve("hotspot/src/share/hottub/hottubClasses.cpp");
  private static final Path JDK = Home.STOCK_JAVA.getParent().getParent();
  private static final int FIELDS = 4;

  /** Names and beginnings of names in a table of the reset. */
  private static List<String> table(String name) throws IOException {
    Matcher table =
        Pattern.compile("const char\\* const " + name + "\\[\\] = \\{([^}]*)}")
            .matcher(Files.readString(CLASSES));
    assertTrue(table.find(), name + " in " + CLASSES);
    List<String> names =
        Pattern.compile("\"([^\"]+)\"")
            .matcher(table.group(1))
            .results()
            .map(found -> found.group(1))
            .toList();
    assertTrue(names.size() > 1, name);
    return names;
  }

  /** Lines without verdicts, of all fields whose values are not in class files. */
  private static List<String> lines() throws IOException {
    List<String> kept = table("kept");
    List<String> neverReset = table("never_reset");
    List<String> copies = table("property_copies");
    List<Field> fields =
        StaticFields.of(
            JDK,
            name ->
                !copies.contains(name)
                    && Stream.concat(kept.stream(), neverReset.stream())
                        .anyMatch(name::startsWith));
    List<String> lines = new ArrayList<>();
    for (Field field : fields) {
      if (field.kind() != Kind.CONSTANT) {
        String table = kept.stream().anyMatch(field.name()::startsWith) ? "kept" : "never_reset";
        String kind = field.kind().toString().toLowerCase(Locale.ROOT);
        lines.add(String.join("\t", field.name(), table, kind));
      }
    }
    return lines;
  }

  /** The rest of each line of the file, by its beginning. */
  private static Map<String, String> verdicts() throws IOException {
    Map<String, String> verdicts = new TreeMap<>();
    for (String line : Files.readAllLines(FILE)) {
      String[] fields = line.split("\t", -1);
      if (!line.startsWith("#") && fields.length == FIELDS) {
        int begin = line.lastIndexOf('\t');
        verdicts.put(line.substring(0, begin), line.substring(begin + 1));
      }
    }
    return verdicts;
  }

  @Test
  void eachFieldThatAClassKeepsHasAVerdict() throws IOException {
    List<String> lines = lines();
    Map<String, String> verdicts = verdicts();
    if (Boolean.getBoolean("hottub.docs.update")) {
      String header =
          Files.readAllLines(FILE).stream()
              .filter(line -> line.startsWith("#"))
              .collect(Collectors.joining("\n"));
      String text =
          lines.stream()
              .map(
                  line ->
                      line
                          + "\t"
                          + verdicts.getOrDefault(line, line.endsWith("variable") ? "?" : ""))
              .collect(Collectors.joining("\n"));
      Files.writeString(FILE, header + "\n" + text + "\n");
      return;
    }
    assertEquals(
        List.of(), lines.stream().filter(line -> !verdicts.containsKey(line)).toList(), "new");
    assertEquals(
        List.of(),
        verdicts.keySet().stream().filter(line -> !lines.contains(line)).toList(),
        "gone");
    verdicts.forEach(
        (line, verdict) ->
            assertTrue(
                !line.endsWith("variable") || verdict.matches("[a-z]+: .*"),
                () -> line + ": " + verdict));
  }
}
