// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The jars of Hive, Tez and the Hadoop client, as the quickstart's script fetches them. */
public final class HiveJars {
  /** What Hive's own scripts open on Java 17, from 4.1 on. */
  public static final String OPENS =
      Stream.of(
              "lang",
              "lang.reflect",
              "io",
              "net",
              "nio",
              "util",
              "util.concurrent",
              "util.concurrent.atomic",
              "util.regex",
              "time")
          .map(name -> "--add-opens=java.base/java." + name + "=ALL-UNNAMED")
          .collect(Collectors.joining(" "));

  private static final String COLLECTIONS = "commons-collections-3";

  private final Path hive;
  private final Path tez;

  /** Fetches them, if need be. */
  public HiveJars() throws IOException, InterruptedException {
    hive = SparkHome.fetchOfThisHadoop("hive");
    tez = SparkHome.fetchOfThisHadoop("tez");
  }

  /** Of all JVMs of Hive outside of containers. */
  public String classPath() {
    return hive + "/*" + File.pathSeparator + tez + "/*";
  }

  /** What beeline has in front of it. */
  Path ofBeeline() throws IOException, InterruptedException {
    return SparkHome.fetch("beeline").resolve("*");
  }

  /** Tez and the Hadoop client, and what Hive's tasks need that the two no longer have. */
  List<Path> ofContainers() throws IOException {
    List<Path> jars = new ArrayList<>(jars(tez, ""));
    // Hadoop 3.3 has it, too.
    if (jars(tez, COLLECTIONS).isEmpty()) {
      jars.addAll(jars(hive, COLLECTIONS));
    }
    return jars;
  }

  /** What Hive gives its containers. */
  Path exec() throws IOException {
    return jars(hive, "hive-exec-").get(0);
  }

  /** Compiles a program of the tests with these libraries. */
  public Path compile(Path classes, String name) throws IOException {
    List<Path> jars = new ArrayList<>(jars(hive, ""));
    jars.addAll(jars(tez, ""));
    String libraries =
        jars.stream().map(jar -> File.pathSeparator + jar).collect(Collectors.joining());
    return Programs.compileWith(libraries, classes, name);
  }

  private static List<Path> jars(Path folder, String start) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(start))
          .filter(file -> file.toString().endsWith(".jar"))
          .sorted()
          .toList();
    }
  }
}
