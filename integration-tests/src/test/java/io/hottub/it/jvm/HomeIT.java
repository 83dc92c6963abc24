// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a home is made of: the distribution's JDK, byte for byte, and what is added to it. */
@NeedsHome
class HomeIT {
  /** The programs for which the client stands, and where the JDK's own are. */
  private static Map<Path, Path> launchers() throws IOException {
    Map<Path, Path> launchers = new TreeMap<>();
    launchers.put(Path.of("bin/java"), Path.of("bin/java-cold"));
    for (String tool : Home.pooledTools()) {
      launchers.put(Path.of("bin", tool), Path.of("bin", tool + "-cold"));
    }
    return launchers;
  }

  private static Set<Path> files(Path jdk) throws IOException {
    try (Stream<Path> files = Files.walk(jdk, FileVisitOption.FOLLOW_LINKS)) {
      return files
          .filter(Files::isRegularFile)
          .map(jdk::relativize)
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void coldRunsHaveTheBitsOfTheDistribution() throws Exception {
    Path stock = Home.STOCK_JAVA.getParent().getParent();
    List<String> differences = new ArrayList<>();
    Set<Path> expected = files(stock);
    assertTrue(expected.contains(Path.of("lib/server/libjvm.so")), expected.toString());
    Map<Path, Path> launchers = launchers();
    for (Path file : expected) {
      Path same = Home.path().resolve(launchers.getOrDefault(file, file));
      if (!Files.exists(same) || Files.mismatch(stock.resolve(file), same) >= 0) {
        differences.add(file.toString());
      }
    }
    assertEquals(List.of(), differences);
  }

  @Test
  void whatIsAddedIsOfThePool() throws Exception {
    Set<Path> added = files(Home.path());
    added.removeAll(files(Home.STOCK_JAVA.getParent().getParent()));
    added.removeAll(launchers().values());
    added.removeIf(file -> file.startsWith("lib/hottub") || file.startsWith("legal/hottub"));
    assertEquals(Set.of(), added);
    Set<String> ours = new TreeSet<>();
    try (Stream<Path> files = Files.list(Home.path().resolve("lib/hottub"))) {
      files.forEach(file -> ours.add(file.getFileName().toString()));
    }
    assertEquals(
        new TreeSet<>(
            List.of(
                "build-id",
                "classes.jsa",
                "classes_nocoops.jsa",
                "keeper",
                "libjvm.so",
                "pooled-java",
                "runtime")),
        ours);
  }
}
