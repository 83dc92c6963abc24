// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.faults;

import io.hottub.it.faults.JobFault.Moment;
import io.hottub.it.faults.RealJobs.Engine;
import io.hottub.it.harness.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.util.VersionInfo;

/**
 * How disturbed jobs have ended on stock JVMs: what was seen once is kept in a file for the next
 * campaign, as long as that is on the same version of Hadoop and of the JDK.
 */
final class StockEnds {
  private final Path file;
  private final Map<String, Map<String, Integer>> ends = new TreeMap<>();

  StockEnds(Path file) throws IOException {
    this.file = file;
    String versions = "# Hadoop " + VersionInfo.getVersion() + ", " + jdk();
    List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
    if (lines.isEmpty() || !lines.get(0).equals(versions)) {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.write(file, List.of(versions));
      return;
    }
    for (String line : lines.subList(1, lines.size())) {
      String[] fields = line.split("\t", -1);
      count(fields[0], fields[1]);
    }
  }

  private static String jdk() throws IOException {
    Path release = Home.STOCK_JAVA.getParent().resolveSibling("release");
    return Files.readAllLines(release).stream()
        .filter(line -> line.startsWith("JAVA_VERSION="))
        .findFirst()
        .orElseThrow();
  }

  static String key(Engine engine, String fault, Moment moment) {
    return engine + ", " + fault + ", " + moment;
  }

  /** The ends that were seen, and how often. */
  Map<String, Integer> of(String key) {
    return Collections.unmodifiableMap(ends.getOrDefault(key, Map.of()));
  }

  /** All of them. */
  Map<String, Map<String, Integer>> all() {
    return Collections.unmodifiableMap(ends);
  }

  void add(String key, String end) throws IOException {
    count(key, end);
    Files.writeString(file, key + "\t" + end + "\n", StandardOpenOption.APPEND);
  }

  private void count(String key, String end) {
    ends.computeIfAbsent(key, unused -> new TreeMap<>()).merge(end, 1, Integer::sum);
  }
}
