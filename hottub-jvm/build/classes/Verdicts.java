// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What somebody has looked at: statics.tsv. */
record Verdicts(List<String> header, Map<String, String> byLine) {
  private static final int COLUMNS = 4;

  static Verdicts read(Path file) throws IOException {
    List<String> header = new ArrayList<>();
    Map<String, String> byLine = new TreeMap<>();
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith("#")) {
        header.add(line);
      } else if (line.split("\t", -1).length == COLUMNS) {
        int end = line.lastIndexOf('\t');
        byLine.put(line.substring(0, end), line.substring(end + 1));
      } else {
        throw new IOException(file + ": not a verdict: " + line);
      }
    }
    return new Verdicts(header, byLine);
  }

  /** A kind of reason, and words for it. */
  static boolean isReason(String verdict) {
    return verdict.matches("[a-z]+: .+");
  }
}
