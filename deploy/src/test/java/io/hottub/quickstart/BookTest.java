// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The documentation as a book: no link of it leads nowhere, and every page has a place. */
class BookTest {
  private static final int CANNOT_FETCH = 75;

  @Test
  void theBookCanBeMade() throws Exception {
    Process build =
        new ProcessBuilder(Path.of("book/build").toAbsolutePath().toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(build.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = build.waitFor();
    assumeTrue(status != CANNOT_FETCH, said);
    assertEquals(0, status, said);
    String page = Files.readString(Path.of("target/book/html/what-it-is.html"));
    assertTrue(page.contains("images/overview.svg"), page);
  }
}
