// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Resources and classes come from the same entries of the class path in every run, whatever the
 * runs before have opened: with jars that name others in their manifest or index, entries that come
 * twice and entries that do not exist.
 */
@NeedsHome
class ClassPathIT {
  private static final int RUNS = 5;

  private Pool pool;
  private Path work;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    work = pool.work();
    Path classes = Programs.compile(work.resolve("classes"), "Resources");
    Path small = Programs.compile(work.resolve("small"), "Small").resolve("Small.class");
    byte[] smallClass = Files.readAllBytes(small);
    jar("plain.jar", Map.of("common", "plain".getBytes(StandardCharsets.UTF_8)));
    jar(
        "named.jar",
        Map.of("common", "named".getBytes(StandardCharsets.UTF_8), "Small.class", smallClass));
    jar(
        "names.jar",
        Map.of(
            "META-INF/MANIFEST.MF",
            "Manifest-Version: 1.0\nClass-Path: named.jar\n\n".getBytes(StandardCharsets.UTF_8),
            "common",
            "names".getBytes(StandardCharsets.UTF_8)));
    jar(
        "indexed.jar",
        Map.of(
            "common",
            "indexed".getBytes(StandardCharsets.UTF_8),
            "p/late",
            "indexed".getBytes(StandardCharsets.UTF_8)));
    jar(
        "index.jar",
        Map.of(
            "META-INF/INDEX.LIST",
            "JarIndex-Version: 1.0\n\nindex.jar\ncommon\n\nindexed.jar\np\n\n"
                .getBytes(StandardCharsets.UTF_8),
            "common",
            "index".getBytes(StandardCharsets.UTF_8)));
    jar(
        "last.jar",
        Map.of(
            "common",
            "last".getBytes(StandardCharsets.UTF_8),
            "only-last",
            "last".getBytes(StandardCharsets.UTF_8)));
    Files.writeString(classes.resolve("common"), "folder");
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  /** Equal content makes equal jars, whenever they are made. */
  private void jar(String name, Map<String, byte[]> content) throws IOException {
    Path jar = work.resolve(name);
    try (OutputStream out = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Map.Entry<String, byte[]> file : content.entrySet()) {
        ZipEntry entry = new ZipEntry(file.getKey());
        entry.setTime(1_000_000_000_000L);
        zip.putNextEntry(entry);
        zip.write(file.getValue());
      }
    }
    Files.setLastModifiedTime(jar, FileTime.fromMillis(1_000_000_000));
  }

  private void compare(String classPath) throws Exception {
    // The runs ask for more and for less than those before: what is open differs.
    List<List<String>> asked =
        List.of(
            List.of(),
            List.of("common"),
            List.of("only-last", "p/late", "common"),
            List.of("p/late"),
            List.of("none", "common"));
    for (int run = 0; run < RUNS; run++) {
      List<String> arguments = new ArrayList<>(List.of("-cp", classPath, "Resources"));
      arguments.addAll(asked.get(run));
      compare(run, arguments);
    }
    pool.assertOneJvmServedLast(RUNS);
  }

  private void compare(int run, List<String> arguments) throws Exception {
    Outcome stock = pool.cold(arguments);
    assertEquals(0, stock.status(), stock.toString());
    assertEquals(stock, pool.run(arguments), "run " + run + pool.logs());
    pool.awaitIdle();
  }

  @Test
  void jarsOnly() throws Exception {
    compare("plain.jar:small:classes:names.jar:last.jar");
  }

  @Test
  void manifestsAndIndexes() throws Exception {
    compare("names.jar:index.jar:indexed.jar:classes:named.jar:last.jar");
  }

  @Test
  void repeatedAndMissingEntries() throws Exception {
    compare("plain.jar:missing.jar:plain.jar:missing:classes:./plain.jar:names.jar:last.jar");
  }

  @Test
  void foldersHaveTheirRealNames() throws Exception {
    Files.createSymbolicLink(work.resolve("link"), work.resolve("classes"));
    compare("link:classes/../small/.:link/../plain.jar");
  }

  /** Containers have their configuration in their own folders. */
  @Test
  void foldersAreThoseOfTheRun() throws Exception {
    String jars = work + "/plain.jar:" + work + "/small:" + work + "/classes";
    for (int run = 0; run < RUNS; run++) {
      Path folder = Files.createDirectories(work.resolve("container" + run % 2));
      Files.createDirectories(folder.resolve("conf"));
      Files.writeString(folder.resolve("conf/common"), "of " + folder);
      List<Outcome> outcomes = new ArrayList<>();
      for (Path java : List.of(Home.COLD_JAVA, Home.JAVA)) {
        List<String> command = List.of("-cp", "conf:" + jars, "Resources", "common", "none");
        ProcessBuilder builder = pool.builder(Pool.command(java, command));
        outcomes.add(pool.start(builder.directory(folder.toFile())).await());
        pool.awaitIdle();
      }
      assertEquals(0, outcomes.get(0).status(), outcomes.toString());
      assertEquals(outcomes.get(0), outcomes.get(1), "run " + run + pool.logs());
    }
    pool.assertOneJvmServedLast(RUNS);
  }

  /** Where the jars of a run before it lay, there may be nothing by then. */
  @Test
  void placesAreThoseOfTheRun() throws Exception {
    Path places = Programs.compile(work.resolve("places"), "Places");
    byte[] sealed =
        "Manifest-Version: 1.0\nSealed: true\nClass-Path: named.jar\n\n"
            .getBytes(StandardCharsets.UTF_8);
    Map<String, byte[]> content =
        Map.of(
            "META-INF/MANIFEST.MF",
            sealed,
            "Places.class",
            Files.readAllBytes(places.resolve("Places.class")),
            "Places$Beside.class",
            Files.readAllBytes(places.resolve("Places$Beside.class")),
            "common",
            "sealed".getBytes(StandardCharsets.UTF_8));
    for (String of : List.of("one", "two", "one", "three", "two")) {
      Path folder = Files.createDirectory(work.resolve("at"));
      jar("at/sealed.jar", content);
      for (String name : List.of("named.jar", "index.jar", "indexed.jar")) {
        Files.copy(work.resolve(name), folder.resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
      }
      Path place = Files.move(folder, work.resolve(of));
      String jars = "/sealed.jar:" + place + "/index.jar:plain.jar:" + place + "/indexed.jar";
      List<String> arguments = List.of("-cp", place + jars, "Places", "common", "p/late");
      compare(0, arguments);
      compare(1, arguments);
      Files.move(place, work.resolve("gone " + place.getFileName() + System.nanoTime()));
    }
    pool.assertOneJvmServedLast(10);
  }

  /** A run may inherit the numbers at which a run before it has opened jars. */
  @Test
  void jarsGiveWayToInheritedDescriptors() throws Exception {
    Path classes = Programs.compile(work.resolve("inherited"), "Inherited");
    String classPath = "plain.jar:small:names.jar:last.jar:" + classes;
    String inherits = "exec 3</dev/null 4<. 5>/dev/zero 6</ 7</usr; exec \"$@\"";
    for (int run = 0; run < RUNS; run++) {
      String script = run % 2 == 0 ? "exec \"$@\"" : inherits;
      String last = run % 2 == 0 ? "2" : "7";
      List<Outcome> outcomes = new ArrayList<>();
      for (Path java : List.of(Home.COLD_JAVA, Home.JAVA)) {
        List<String> command = new ArrayList<>(List.of("bash", "-c", script, "-"));
        command.addAll(List.of(java.toString(), "-cp", classPath, "Inherited", last, "only-last"));
        outcomes.add(pool.start(pool.builder(command)).await());
        pool.awaitIdle();
      }
      assertEquals(0, outcomes.get(0).status(), outcomes.toString());
      assertEquals(outcomes.get(0), outcomes.get(1), "run " + run + pool.logs());
    }
    pool.assertOneJvmServedLast(RUNS);
  }

  /** A jar of the module path, whose class loader stays, is read in every run. */
  @Test
  void modules() throws Exception {
    Path modules = Programs.compileModules(work.resolve("modules"), "app", "service");
    Path service = modules.resolve("service");
    jar(
        "service.jar",
        Map.of(
            "module-info.class",
            Files.readAllBytes(service.resolve("module-info.class")),
            "service/Counting.class",
            Files.readAllBytes(service.resolve("service/Counting.class")),
            "service/Later.class",
            Files.readAllBytes(service.resolve("service/Later.class")),
            "service/words",
            " and welcome".getBytes(US_ASCII)));
    List<String> greets = List.of("-p", "modules/app:service.jar", "-m", "app/app.Greets");
    assertTrue(pool.cold(greets).out().contains("hello 1 and welcome"));
    List<String> more = new ArrayList<>(greets);
    more.add("service.Later");
    for (int run = 0; run < RUNS; run++) {
      compare(run, run == RUNS - 1 ? more : greets);
    }
    pool.assertOneJvmServedLast(RUNS);
  }
}
