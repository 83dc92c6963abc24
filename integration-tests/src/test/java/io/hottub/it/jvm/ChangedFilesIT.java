// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.it.harness.Await;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import io.hottub.protocol.KeeperState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files of a class path that change while a run uses them, or between runs: what a JVM keeps of
 * them is what its fingerprint says, whoever has the same content elsewhere.
 */
@NeedsHome
@Tag("clones")
class ChangedFilesIT {
  private static final int RUNS = 4;

  private Pool pool;
  private Path work;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    work = pool.work();
    Path main = Programs.compile(work.resolve("main-classes"), "Changing");
    Programs.jar(work.resolve("main.jar"), main);
    for (String version : List.of("v1", "v2")) {
      Path classes = work.resolve(version);
      for (String name : List.of("Value", "More")) {
        String body = "public static String text() { return \"%s\"; }".formatted(version);
        Path source = work.resolve(name + ".java");
        Files.writeString(source, "public class %s { %s }".formatted(name, body));
        Programs.compileSource(classes, source);
      }
      Programs.jar(work.resolve(version + ".jar"), classes);
    }
    for (String place : List.of("one", "other")) {
      Files.createDirectory(work.resolve(place));
      Files.copy(work.resolve("v1/Value.class"), work.resolve(place + "/Value.class"));
      Files.copy(work.resolve("v1.jar"), work.resolve(place + ".jar"));
    }
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  private Outcome run(Path java, String entry, String what) throws Exception {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("--add-opens", "java.base/jdk.internal.loader=ALL-UNNAMED"));
    arguments.addAll(List.of("-Xmx64m", "-cp", "main.jar:" + entry, "Changing"));
    arguments.addAll(List.of(what.split(" ")));
    Outcome outcome = pool.start(pool.builder(Pool.command(java, arguments))).await();
    if (java.equals(Home.JAVA)) {
      pool.awaitIdle();
    }
    return outcome;
  }

  private void compare(String entry, String what, String expected) throws Exception {
    Outcome stock = run(Home.COLD_JAVA, entry, what);
    assertEquals(expected, stock.out().replace("\n", " ").trim(), stock.toString());
    assertEquals(stock, run(Home.JAVA, entry, what), () -> what + "\n" + pool.logs());
  }

  /** Each of these runs finds what the fingerprint says, and some JVM is warm at the end. */
  private void compareAll(String entry, String what, String expected) throws Exception {
    for (int run = 0; run < RUNS; run++) {
      compare(entry, what, expected);
    }
    pool.assertOneJvmServedLast(RUNS - 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"v2.jar", "main.jar", "v1/Value.class"})
  void aJarThatIsOpenAndWrittenOverIsNotThatOfOtherRuns(String content) throws Exception {
    compareAll("one.jar", "Value", "Value: v1");
    Files.write(work.resolve("one.jar"), Files.readAllBytes(work.resolve(content)));
    compareAll("other.jar", "Value More", "Value: v1 More: v1");
    pool.assertOneJvmServedLast(2 * RUNS - 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"move=v2.jar:one.jar", "write=v2.jar:one.jar"})
  void aJarThatChangesBeforeItsFirstUseIsNotThatOfOtherRuns(String change) throws Exception {
    assertEquals("Value: v2\n", run(Home.JAVA, "one.jar", change + " Value").out());
    compareAll("other.jar", "Value", "Value: v1");
  }

  /** Of which a run before has opened the jar, and other classes. */
  @Test
  void aClassOfAJarThatIsWrittenOverIsNotThatOfOtherRuns() throws Exception {
    run(Home.JAVA, "one.jar", "Value");
    run(Home.JAVA, "one.jar", "write=v2.jar:one.jar More");
    compareAll("other.jar", "Value More", "Value: v1 More: v1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"move=v2/Value.class:one/Value.class", "write=v2/Value.class:one/Value.class"})
  void aClassFileThatChangesBeforeItsFirstUseIsNotThatOfOtherRuns(String change) throws Exception {
    assertEquals("Value: v2\n", run(Home.JAVA, "one", change + " Value").out());
    compareAll("other", "Value", "Value: v1");
  }

  @Test
  void aClassFileThatARunHasMadeAndDeletedIsOfNoOtherRun() throws Exception {
    String file = "one/More.class";
    compare("one", "write=v1/More.class:" + file + " More delete=" + file, "More: v1");
    compare("one", "More", "More: none");
    compare("one", "write=v2/More.class:" + file + " More delete=" + file, "More: v2");
    compareAll("one", "More", "More: none");
  }

  @Test
  void aJarThatARunHasAddedIsOfNoOtherRun() throws Exception {
    compare("one", "add=v1.jar More", "More: v1");
    compare("one", "More", "More: none");
    compare("one", "add=v2.jar More", "More: v2");
    compareAll("one", "More", "More: none");
  }

  private List<String> openDeletedJars() throws Exception {
    List<String> found = new ArrayList<>();
    for (KeeperState state : pool.states()) {
      try (Stream<Path> open = Files.list(Path.of("/proc/" + state.jvmPid() + "/fd"))) {
        for (Path descriptor : open.toList()) {
          String file = Files.readSymbolicLink(descriptor).toString();
          if (file.endsWith(".jar (deleted)")) {
            found.add(file);
          }
        }
      }
    }
    return found;
  }

  /** YARN deletes those of an application that has ended; the next one brings its own. */
  @Tag("long")
  @Test
  void deletedJarsOfAnIdleJvmTakeNoRoom() throws Exception {
    for (int run = 0; run < RUNS; run++) {
      Path jar = work.resolve("of-run-" + run + ".jar");
      Files.copy(work.resolve("v1.jar"), jar);
      compare(jar.getFileName().toString(), "Value More", "Value: v1 More: v1");
      Files.delete(jar);
      Await.until("the deleted jar is let go", () -> openDeletedJars().isEmpty());
    }
    pool.assertOneJvmServedLast(RUNS - 1);
  }
}
