// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.protocol.Reasons.Kind;
import io.hottub.protocol.Reasons.Reason;
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
import org.junit.jupiter.api.Test;

/**
 * The page of options is made from the tables of the client, which decide. It is a golden file, as
 * {@link ReasonsDocsTest}'s.
 */
class OptionsDocsTest {
  private static final Path FILE = Path.of("..", "docs", "options.md");
  private static final Path CLIENT = Path.of("native", "client");
  private static final Pattern STRING = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern COLD_ROW = Pattern.compile("\\{\"([^\"]+)\",\\s*COLD_([A-Z_]+)}");
  private static final Pattern LOG_ROW = Pattern.compile("\\{\"([^\"]+)\", ([A-Z]+)}");

  /** What is between the braces of a table in a C file. */
  private static String table(String file, String name) throws IOException {
    String text = Files.readString(CLIENT.resolve(file));
    Matcher begin = Pattern.compile(Pattern.quote(name) + "(?:\\[])? = \\{").matcher(text);
    assertTrue(begin.find(), name + " in " + file);
    String table = text.substring(begin.end(), text.indexOf("};", begin.end()));
    return table.replaceAll("(?m)//.*$", "");
  }

  private static String words(String file, String... tables) throws IOException {
    List<String> words = new ArrayList<>();
    for (String table : tables) {
      STRING.matcher(table(file, table)).results().forEach(found -> words.add(found.group(1)));
    }
    assertTrue(words.size() > 1, String.join(" ", tables));
    return words.stream().sorted().map("`%s`"::formatted).collect(Collectors.joining(", "));
  }

  private static String logs() throws IOException {
    Map<String, List<String>> byLevel = new TreeMap<>();
    Matcher row = LOG_ROW.matcher(table("logs.c", "selections"));
    while (row.find()) {
      String level = row.group(2).toLowerCase(Locale.ROOT);
      byLevel.computeIfAbsent(level, key -> new ArrayList<>()).add("`" + row.group(1) + "`");
    }
    return byLevel.entrySet().stream()
        .map(level -> String.join(", ", level.getValue()) + " down to `" + level.getKey() + "`")
        .collect(Collectors.joining("; "));
  }

  /** Patterns by reason, in the order of the table. */
  private static Map<String, List<String>> cold() throws IOException {
    Map<String, List<String>> patterns = new TreeMap<>();
    for (String name : List.of("cold_options", "cold_properties")) {
      Matcher row = COLD_ROW.matcher(table("options.c", name));
      int rows = 0;
      for (; row.find(); rows++) {
        String word = row.group(2).toLowerCase(Locale.ROOT).replace('_', '-');
        String pattern = (name.equals("cold_properties") ? "-D" : "") + row.group(1);
        patterns.computeIfAbsent(word, key -> new ArrayList<>()).add("`" + pattern + "`");
      }
      assertTrue(rows > 3, name);
    }
    return patterns;
  }

  private static String page() throws IOException {
    StringBuilder page = new StringBuilder("\n## Cold\n\n");
    page.append("| option | reason | meaning | what to do |\n|---|---|---|---|\n");
    Map<String, List<String>> cold = cold();
    for (Reason reason : Reasons.of(Kind.COLD)) {
      List<String> patterns = cold.remove(reason.word());
      if (patterns != null) {
        String options = String.join(", ", patterns);
        page.append(
            "| %s | `%s` | %s | %s |\n"
                .formatted(options, reason.word(), reason.meaning(), reason.advice()));
      }
    }
    assertEquals(Map.of(), cold, "reasons that are not in reasons.tsv");
    page.append("\n## For each run\n\n");
    page.append("| | |\n|---|---|\n| options | ").append(words("options.c", "late_options"));
    page.append(" |\n| old spellings of logs | `-Xloggc:*`, ").append(words("logs.c", "old_flags"));
    page.append(" |\n| logs: `-verbose:gc`, and `-Xlog` of | ").append(logs());
    page.append(" |\n| properties that the JDK reads while it starts, but for these | ");
    page.append(words("options.c", "lease_properties")).append(" |\n| all other properties | |\n");
    page.append("\n## Part of the fingerprint\n\n| | |\n|---|---|\n| options | ");
    page.append(words("options.c", "boot_options", "printed_options", "quiet_options"))
        .append(" |\n| properties | ");
    page.append(words("options.c", "boot_properties", "load_properties", "known_values"))
        .append(" |\n");
    return page.append("\n").toString();
  }

  @Test
  void thePageIsUpToDate() throws IOException {
    GeneratedPart.assertUpToDate(FILE, List.of(page()));
  }
}
