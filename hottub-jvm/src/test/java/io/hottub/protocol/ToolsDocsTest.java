// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The table of the JDK's tools is a golden file: {@code ./mvnw test -pl hottub-jvm
 * -Dhottub.jvm.skip=true -Dhottub.docs.update=true} writes it anew.
 */
class ToolsDocsTest {
  private static final Path FILE = Path.of("..", "docs", "tools.md");
  private static final Path TABLE = Path.of("tools.tsv");

  private static String row(String[] fields) {
    return fields[1].equals("stock")
        ? "| `%s` | the JDK's own | %s |\n".formatted(fields[0], fields[2])
        : "| `%s` | %s | `java %s -m %s` |\n"
            .formatted(
                fields[0],
                fields[5].equals("prints") ? "pooled" : "pooled, cold at a terminal",
                fields[2],
                fields[3]);
  }

  private static String table() throws IOException {
    StringBuilder table =
        new StringBuilder("| program | | runs, or why it stays |\n|---|---|---|\n");
    for (String line : Files.readAllLines(TABLE)) {
      if (!line.startsWith("#")) {
        table.append(row(line.split("\t")));
      }
    }
    return table.toString();
  }

  @Test
  void thePageIsUpToDate() throws IOException {
    GeneratedPart.assertUpToDate(FILE, List.of(table()));
  }
}
