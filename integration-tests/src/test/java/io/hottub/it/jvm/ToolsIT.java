// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The tools of the JDK besides java, for which the client stands, too: tools.tsv. How they read
 * their command lines is tested with the stock launcher, in 24-tools.sh.
 */
@NeedsHome
class ToolsIT {
  private static final int RUNS = 2;
  private static final Path BIN = Home.path().resolve("bin");

  private Pool pool;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    Path work = pool.work();
    Files.copy(Programs.source("Small"), work.resolve("Small.java"));
    Files.writeString(work.resolve("Broken.java"), "class Broken { int x = \"\"; }\n");
    Files.writeString(work.resolve("words"), "-d out-of-words\nSmall.java\n");
    Files.writeString(work.resolve("script.jsh"), "int x = 6 * 7\nSystem.out.println(x)\n/exit\n");
    Programs.compile(work.resolve("classes"), "Small");
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  /** The tool alone is what comes before the first space; "JMODS" is a folder of the home. */
  private Outcome run(String suffix, String line) throws Exception {
    List<String> words = new ArrayList<>(Arrays.asList(line.split(" ")));
    words.replaceAll(word -> word.replace("JMODS", Home.path().resolve("jmods").toString()));
    words.set(0, BIN.resolve(words.get(0) + suffix).toString());
    Outcome outcome = pool.start(pool.builder(words)).await();
    pool.awaitIdle();
    return outcome;
  }

  /** Names and contents of all files in the folder of the runs, and takes what is new away. */
  private Map<String, Integer> takeFiles(Set<Path> before) throws IOException {
    Map<String, Integer> contents = new TreeMap<>();
    List<Path> files = new ArrayList<>(filesOf(pool.work()));
    Collections.reverse(files);
    for (Path file : files) {
      boolean folder = Files.isDirectory(file);
      int content = folder ? 0 : Arrays.hashCode(Files.readAllBytes(file));
      contents.put(pool.work().relativize(file).toString(), content);
      if (!before.contains(file)) {
        Files.delete(file);
      }
    }
    return contents;
  }

  private static Set<Path> filesOf(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "javac -d out Small.java",
        "javac -J-Xmx200m -d out -Xlint:all Small.java",
        "javac -d out Broken.java",
        "javac @words",
        "javac --version",
        "javac -none",
        "jar --create --date=2020-01-01T00:00:00Z --file new.jar --main-class Small -C classes .",
        "jar --list --file none.jar",
        "javadoc -quiet -notimestamp -d doc Small.java",
        "javap -c -p -cp classes Small",
        "jdeps -cp classes classes",
        "jdeprscan --class-path classes Small",
        "serialver -classpath classes java.util.ArrayList",
        "keytool -list -keystore none -storepass changeit",
        "keytool -list -cacerts -storepass changeit",
        "jarsigner -verify none.jar",
        "jmod list JMODS/java.datatransfer.jmod",
        "jlink --list-plugins",
        "jimage list --include none JMODS/../lib/modules",
        "jfr summary none.jfr",
        "jrunscript -e 1",
        "jpackage --version",
      })
  void aToolInThePoolDoesWhatTheStockOneDoes(String line) throws Exception {
    Set<Path> before = filesOf(pool.work());
    Outcome stock = run("-cold", line);
    Map<String, Integer> stockFiles = takeFiles(before);
    for (int run = 1; run <= RUNS; run++) {
      assertEquals(List.of(), run("", line).differences(stock), line + ", run " + run);
      assertEquals(stockFiles, takeFiles(before), line + ", run " + run);
    }
    pool.assertOneJvmServedLast(RUNS);
  }

  @Test
  void jshellRunsInThePoolAndTheJvmOfItsSnippetsDoesNot() throws Exception {
    run("-cold", "jshell script.jsh"); // a user's first one makes a folder for preferences
    Outcome stock = run("-cold", "jshell script.jsh");
    int before = pool.servedBy().size();
    for (int run = 1; run <= RUNS; run++) {
      assertEquals(List.of(), run("", "jshell script.jsh").differences(stock), "run " + run);
    }
    List<Long> served = pool.servedBy().subList(before, before + 2 * RUNS);
    long jvm = served.get(0);
    assertNotEquals(0, jvm, pool::logs);
    for (int run = 0; run < RUNS; run++) {
      assertEquals(List.of(jvm, 0L), served.subList(2 * run, 2 * run + 2), pool::logs);
    }
  }

  @Test
  void everyPooledToolIsRun() throws Exception {
    var lines =
        getClass()
            .getDeclaredMethod("aToolInThePoolDoesWhatTheStockOneDoes", String.class)
            .getAnnotation(ValueSource.class)
            .strings();
    Set<String> run = new TreeSet<>(List.of("jshell"));
    Stream.of(lines).map(line -> line.substring(0, line.indexOf(" "))).forEach(run::add);
    assertEquals(Home.pooledTools(), run);
  }

  @Test
  void javacAndAProgramThatItHasCompiledRunAsOneScriptOfAUser() throws Exception {
    assertEquals(0, run("", "javac -d out Small.java").status());
    assertEquals(0, run("", "jar --create --file s.jar --main-class Small -C out .").status());
    assertEquals(
        pool.cold("-jar", "s.jar").toString(),
        pool.run("-jar", "s.jar").toString(),
        "a program whose jar was made a moment ago");
    assertFalse(pool.servedBy().subList(0, 2).contains(0L), pool::logs);
  }

  @Test
  void anOptionForTheJvmLeadsToAnotherJvm() throws Exception {
    run("", "javac -d out Small.java");
    long plain = pool.servedLast();
    run("", "javac -J-Xmx200m -d out Small.java");
    assertNotEquals(0, pool.servedLast(), pool::logs);
    assertNotEquals(plain, pool.servedLast());
  }

  /** That the others are those of the JDK, HomeIT tells. */
  @Test
  void theClientStandsForTheToolsOfTheTable() throws Exception {
    Set<String> expected = Home.pooledTools();
    expected.add("java");
    Set<String> clients = new TreeSet<>();
    for (String name : namesIn(BIN)) {
      if (Files.isSameFile(BIN.resolve(name), Home.JAVA)) {
        clients.add(name);
      }
    }
    expected.retainAll(namesIn(BIN));
    assertEquals(expected, clients);
    assertTrue(clients.contains("javac"));
  }

  private static Set<String> namesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
