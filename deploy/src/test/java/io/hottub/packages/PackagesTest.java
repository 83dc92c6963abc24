// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.packages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The packages for cluster managers, and their checkers: runs the tests in {@code src/test/python}.
 */
class PackagesTest {
  private static final Path TESTS = Path.of("src/test/python").toAbsolutePath();

  @TestFactory
  List<DynamicTest> testsInPython() throws IOException {
    try (Stream<Path> files = Files.list(TESTS)) {
      List<String> modules =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.matches("test_.*\\.py"))
              .map(name -> name.substring(0, name.length() - ".py".length()))
              .sorted()
              .toList();
      assertFalse(modules.isEmpty(), "there are tests in " + TESTS);
      return modules.stream().map(name -> DynamicTest.dynamicTest(name, () -> run(name))).toList();
    }
  }

  private static void run(String module) throws Exception {
    Process python =
        new ProcessBuilder("python3", "-B", "-W", "error", "-m", "unittest", module)
            .directory(TESTS.toFile())
            .redirectErrorStream(true)
            .start();
    String out = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, python.waitFor(), out);
  }
}
