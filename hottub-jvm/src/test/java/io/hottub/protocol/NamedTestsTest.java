// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pages that say which test shows something: each row names at least one, and all that it names
 * exist.
 */
class NamedTestsTest {
  private static final Path ROOT = Path.of("..");
  private static final Path CASES = Path.of("native", "test", "cases");
  private static final String KINDS_TEST = "StateKindsIT";

  private static final Pattern JAVA =
      Pattern.compile("\\b([A-Z]\\w*(?:IT|Test))\\b(?:\\.(\\w+))?(?:`? \"([^\"]+)\")?");
  private static final Pattern NATIVE =
      Pattern.compile("(?<![\\w/-])(\\d\\d-[a-z]+)(?:\\.sh)?(?:`? \"([^\"]+)\")?");
  private static final Pattern KIND =
      Pattern.compile("`([A-Z][a-zA-Z0-9]+)`(?: ([a-zA-Z]+(?:, [a-zA-Z]+)*))?");
  private static final Pattern KIND_OF_TEST = Pattern.compile(KINDS_TEST + " \\(([^)]*)\\)");

  /** Text of each test, by its name. */
  private final Map<String, String> tests = new HashMap<>();

  private final String kindsTest;
  private final List<String> wrong = new ArrayList<>();

  NamedTestsTest() throws IOException {
    for (String module :
        List.of("hottub-jvm", "yarn-auxservice", "spark-plugin", "tez-plugin", "deploy")) {
      read(ROOT.resolve(module).resolve("src/test/java"));
    }
    read(ROOT.resolve("integration-tests/src/test/java"));
    kindsTest = tests.get(KINDS_TEST);
  }

  private void read(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(f -> f.toString().matches(".*(IT|Test)\\.java")).toList()) {
        tests.put(file.getFileName().toString().replace(".java", ""), Files.readString(file));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"reset.md", "security.md", "reports/findings.md"})
  void everyRowNamesTestsThatExist(String page) throws IOException {
    List<String> rows = rows(Files.readString(ROOT.resolve("docs").resolve(page)));
    assertTrue(rows.size() > 10, page + " has tables of tests");
    rows.forEach(this::check);
    assertEquals(List.of(), wrong, page);
  }

  /** Those of tables whose last column has tests. */
  private static List<String> rows(String text) {
    List<String> rows = new ArrayList<>();
    boolean isOfTests = false;
    for (String line : text.lines().toList()) {
      if (!line.startsWith("|")) {
        isOfTests = false;
      } else if (line.matches(".*\\| tests? \\|")) {
        isOfTests = true;
      } else if (isOfTests && !line.startsWith("|---")) {
        rows.add(line);
      }
    }
    return rows;
  }

  private void check(String row) {
    String[] columns = row.split(" \\| ", -1);
    String named = columns[columns.length - 1].replaceAll(" *\\|$", "");
    boolean any = false;
    for (Matcher test = JAVA.matcher(named); test.find(); any = true) {
      checkJava(test.group(1), test.group(2), test.group(3));
    }
    for (Matcher test = NATIVE.matcher(named); test.find(); any = true) {
      checkNative(test.group(1), test.group(2));
    }
    for (Matcher kinds = KIND_OF_TEST.matcher(named); kinds.find(); ) {
      for (String kind : kinds.group(1).replace("`", "").split(", ", -1)) {
        checkKind(kind, null);
      }
    }
    for (Matcher kind = KIND.matcher(named); kind.find(); ) {
      if (!kind.group(1).matches(".*(IT|Test)")) {
        any = true;
        checkKind(kind.group(1), kind.group(2));
      }
    }
    if (!any && !named.contains("native tests")) {
      wrong.add("no test: " + row);
    }
  }

  private void checkJava(String test, String method, String named) {
    String text = tests.get(test);
    if (text == null) {
      wrong.add("there is no " + test);
    } else if (method != null && !text.contains("void " + method + "(")) {
      wrong.add("there is no " + test + "." + method);
    } else if (named != null && !text.contains(named)) {
      wrong.add(test + " has no " + named);
    }
  }

  private void checkNative(String test, String named) {
    try {
      String text = Files.readString(CASES.resolve(test + ".sh"));
      if (named != null && !text.contains(named)) {
        wrong.add(test + " has no " + named);
      }
    } catch (IOException e) {
      wrong.add("there is no native case " + test);
    }
  }

  /** One of programs/kinds; those that end the JVM have names. */
  private void checkKind(String kind, String ends) {
    if (!kindsTest.contains(kind)) {
      wrong.add(KINDS_TEST + " does not run " + kind);
    } else if (kind.equals("Unresettable") && ends != null) {
      for (String end : ends.split(", ", -1)) {
        if (!kindsTest.contains("\"" + end + ", ")) {
          wrong.add(KINDS_TEST + " does not run Unresettable " + end);
        }
      }
    }
  }

  @Test
  void aTestThatDoesNotExistIsFound() {
    check("| kind | statics | StateIT.noSuchTest |");
    check("| kind | statics | NoSuchIT, `99-none.sh`, `21-cold` \"no-such-case\" |");
    check("| kind | statics | `Unresettable` nothing; StateKindsIT (NoKind) |");
    check("| kind | statics | by reading |");
    assertEquals(
        List.of(
            "there is no StateIT.noSuchTest",
            "there is no NoSuchIT",
            "there is no native case 99-none",
            "21-cold has no no-such-case",
            "StateKindsIT does not run NoKind",
            "StateKindsIT does not run Unresettable nothing",
            "no test: | kind | statics | by reading |"),
        wrong);
  }
}
