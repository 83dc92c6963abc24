// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Lines of fields that are separated by tabs: what the scripts that measure leave behind. */
public final class Tsv {
  private Tsv() {}

  /** The fields of all lines of a file that are not blank. */
  public static List<String[]> read(Path file) throws IOException {
    return rows(Files.readAllLines(file));
  }

  /** The fields of all lines that are not blank; an empty field is one, too. */
  public static List<String[]> rows(List<String> lines) {
    return lines.stream()
        .filter(line -> !line.isBlank())
        .map(line -> line.split("\t", -1))
        .toList();
  }
}
