// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The compiler of the JDK, many times in one JVM: every result equals that of a stock JVM. */
@NeedsHome
class ReuseIT {
  private Pool pool;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  @ParameterizedTest
  @CsvSource({
    "-Xmixed, 40",
    "-XX:TieredStopAtLevel=1, 40",
    "-XX:TieredStopAtLevel=3, 15",
    "-XX:-TieredCompilation, 15",
    "-Xint, 8"
  })
  void javacGivesEqualResults(String mode, int runs) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(mode, "com.sun.tools.javac.Main"));
    arguments.addAll(List.of("-Xlint:all", "-parameters", "-d", "classes"));
    arguments.add(Home.source("Small").toString());
    Outcome stock = pool.cold(arguments);
    Map<String, String> stockFiles = takeClasses();
    for (int run = 1; run <= runs; run++) {
      Outcome outcome = pool.run(arguments);
      assertEquals(stock, outcome, "run " + run + "\n" + pool.logs());
      assertEquals(stockFiles, takeClasses(), "run " + run);
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(runs);
  }

  /** Content of the class files, which are then removed. */
  private Map<String, String> takeClasses() throws IOException {
    Map<String, String> content = new TreeMap<>();
    try (Stream<Path> files = Files.list(pool.work().resolve("classes"))) {
      for (Path file : files.toList()) {
        content.put(
            file.getFileName().toString(), Files.readString(file, StandardCharsets.ISO_8859_1));
        Files.delete(file);
      }
    }
    return content;
  }
}
