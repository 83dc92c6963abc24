// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ServedTableTest {
  private static String row(String text) {
    String html = new ServedTable(Map.of("executor.1", text)).html();
    int row = html.indexOf("<tr><td>");
    return html.substring(row, html.indexOf("</tr>", row));
  }

  @Test
  void whatIsToldOfAJvmIsInColumns() {
    assertEquals(
        "<tr><td>executor.1</td><td>warm</td><td>lease 5 of JVM 12</td><td>3.1 ms</td><td>2.0 s</td>",
        row("warm, lease 5 of JVM 12, handed over in 3.1 ms" + SavedCpu.TEXT.formatted(2.0)));
    assertEquals(
        "<tr><td>executor.1</td><td>warm</td><td>clone 7</td><td>3.1 ms</td><td></td>",
        row("warm, clone 7, handed over in 3.1 ms"));
    assertEquals(
        "<tr><td>executor.1</td><td>newly started</td><td>lease 1 of JVM 12</td><td></td><td></td>",
        row("newly started, lease 1 of JVM 12"));
    assertEquals(
        "<tr><td>executor.1</td><td>by a JVM of the pool, without a record</td><td></td><td></td><td></td>",
        row("by a JVM of the pool, without a record"));
  }

  @Test
  void coldOnesHaveTheirReasonAndWhatToDo() {
    String row = row("cold: log");
    assertTrue(row.startsWith("<tr><td>executor.1</td><td>cold: log ("), row);
    assertTrue(row.contains("what to do:"), row);
    assertTrue(row("cold: <b>&").contains("<td>cold: &lt;b&gt;&amp;</td>"));
  }

  @Test
  void theDriverIsFirstAndExecutorsGoByNumber() {
    ServedTable table =
        new ServedTable(
            Map.of(
                "executor.10", "warm, clone 3", "executor.2", "cold: log", "driver", "cold: off"));
    String html = table.html();
    assertFalse(table.isEmpty());
    assertTrue(html.contains("1 of 3 JVMs were warm"), html);
    assertTrue(html.matches("(?s).*driver.*executor[.]2.*executor[.]10.*"), html);
  }
}
