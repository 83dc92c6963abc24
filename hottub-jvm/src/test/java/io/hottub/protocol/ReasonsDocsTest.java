// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import io.hottub.protocol.Reasons.Kind;
import io.hottub.protocol.Reasons.Reason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The page of reasons is a golden file: {@code ./mvnw test -pl hottub-jvm -Dhottub.jvm.skip=true
 * -Dhottub.docs.update=true} writes it anew.
 */
class ReasonsDocsTest {
  private static final Path FILE = Path.of("..", "docs", "reasons.md");

  private static String title(Kind kind) {
    return switch (kind) {
      case COLD ->
          "Cold: why a run was not served by the pool (journal, `HOTTUB_TRACE`, `runs.miss.WORD`)";
      case RETIRED -> "Retired: why a keeper ended its JVM (journal, `pool.retired.WORD`)";
      case RETIRED_BY_SERVICE ->
          "Retired by the service: what the keeper calls `asked` (NodeManager's log,"
              + " `pool.retired.WORD`)";
      case REFUSED -> "Refused: why a keeper said no (frame REFUSED)";
      case PLUG_IN ->
          "Plug-in: why Spark's plug-in takes a JVM for cold that no client has told of"
              + " (driver's log, page Environment)";
      case DOUBT ->
          "Doubts: what a JVM said when its reset could not be verified (keeper's log, journal)";
    };
  }

  private static String word(Reason reason) {
    return reason.word().replaceAll("%[-.*0-9]*[a-z]", "…");
  }

  private static String page() {
    StringBuilder page = new StringBuilder();
    for (Kind kind : Kind.values()) {
      String number = kind == Kind.REFUSED ? " number |" : "";
      page.append("\n## ").append(title(kind)).append("\n\n|").append(number);
      page.append(kind == Kind.DOUBT ? " sentence |" : " word |")
          .append(" meaning | what to do |\n");
      page.append(number.isEmpty() ? "|---|---|---|\n" : "|---|---|---|---|\n");
      for (Reason reason : Reasons.of(kind)) {
        page.append(number.isEmpty() ? "|" : "| %d |".formatted(reason.number()));
        page.append(
            " `%s` | %s | %s |\n".formatted(word(reason), reason.meaning(), reason.advice()));
      }
    }
    return page.append("\n").toString();
  }

  @Test
  void thePageIsUpToDate() throws IOException {
    GeneratedPart.assertUpToDate(FILE, List.of(page()));
  }
}
