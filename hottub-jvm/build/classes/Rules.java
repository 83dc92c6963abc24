// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The rules of classes.tsv. */
final class Rules {
  private static final int COLUMNS = 4;
  private static final Set<String> LISTS =
      Set.of("kept", "given", "never_reset", "copies", "reset");

  /** Lists of classes of the image, by patterns. */
  private final Map<String, String> image = new TreeMap<>();

  /** Lists of classes that are made at run time, by beginnings of names. */
  private final Map<String, String> families = new TreeMap<>();

  private Rules() {}

  static Rules read(Path file) throws IOException {
    Rules rules = new Rules();
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith("#")) {
        continue;
      }
      String[] columns = line.split("\t", -1);
      boolean isRule =
          columns.length == COLUMNS
              && LISTS.contains(columns[1])
              && !columns[COLUMNS - 1].isBlank()
              && (columns[2].equals("image")
                  || columns[2].equals("run time") && columns[0].endsWith("*"));
      if (!isRule) {
        throw new IOException(file + ": not a rule: " + line);
      }
      if (columns[2].equals("image")) {
        rules.image.put(columns[0], columns[1]);
      } else {
        rules.families.put(columns[0].substring(0, columns[0].length() - 1), columns[1]);
      }
    }
    return rules;
  }

  Map<String, String> families() {
    return families;
  }

  /** Whether the JVM needs the state of the classes in this list. */
  static boolean isKept(String list) {
    return list.equals("kept") || list.equals("given");
  }

  /** The list of a class of the image, by the longest pattern that it matches; null if none. */
  String listOf(String name) {
    String longest = patternOf(name);
    String list = longest == null ? "reset" : image.get(longest);
    return list.equals("reset") ? null : list;
  }

  private String patternOf(String name) {
    String longest = null;
    for (String pattern : image.keySet()) {
      if (matches(pattern, name) && (longest == null || longest.length() < pattern.length())) {
        longest = pattern;
      }
    }
    return longest;
  }

  /** All below a package ("a/b/"), all that begin so ("a/B*"), or a class and those in it. */
  private static boolean matches(String pattern, String name) {
    if (pattern.endsWith("*")) {
      return name.startsWith(pattern.substring(0, pattern.length() - 1));
    }
    return name.startsWith(pattern)
        && (pattern.endsWith("/")
            || name.length() == pattern.length()
            || name.charAt(pattern.length()) == '$');
  }

  /** Lines about rules for classes that this JDK does not have. */
  List<String> unused(Collection<String> names) {
    List<String> unused = new ArrayList<>(image.keySet());
    names.forEach(name -> unused.remove(patternOf(name)));
    unused.replaceAll(pattern -> "rule without a class: " + pattern);
    return unused;
  }
}
