// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TsvTest {
  @Test
  void emptyFieldsCountAndBlankLinesDoNot(@TempDir Path folder) throws Exception {
    Path file = Files.write(folder.resolve("a.tsv"), List.of("a\t\tb c\t", "", "d"));
    List<String[]> rows = Tsv.read(file);
    assertEquals(2, rows.size());
    assertArrayEquals(new String[] {"a", "", "b c", ""}, rows.get(0));
    assertArrayEquals(new String[] {"d"}, rows.get(1));
  }
}
