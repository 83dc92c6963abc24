// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import java.io.File;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kinds of state that a run can leave behind, each with a class of its own in programs/kinds that
 * changes it and shows it: in every lease a probe prints what it prints on a stock JVM. The lines
 * name the kind. docs/reset.md lists what brings each kind back.
 */
@NeedsHome
class StateKindsIT {
  private static final int ROUNDS = 2;

  private Pool pool;
  private Path classes;

  /** Further entries of the class path. */
  private String libraries = "";

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  private void compile(String... names) throws Exception {
    classes = Programs.compile(pool.work().resolve("classes"), names);
    Path zip = pool.work().resolve("some.zip");
    try (OutputStream file = Files.newOutputStream(zip);
        ZipOutputStream out = new ZipOutputStream(file)) {
      out.putNextEntry(new ZipEntry("entry"));
      out.write("content".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    }
  }

  private Outcome run(Path java, String options, String zone, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>(List.of(java.toString()));
    if (!options.isEmpty()) {
      command.addAll(List.of(options.split(" ")));
    }
    command.addAll(List.of("-cp", classes + libraries));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = pool.builder(command);
    builder.environment().put("TZ", zone);
    Outcome outcome = pool.start(builder).await();
    pool.awaitIdle();
    return outcome;
  }

  private Outcome probe(Path java, String options, String kinds) throws Exception {
    return run(java, options, "America/New_York", "kinds.Kind", "probe", kinds);
  }

  /** The first run as well, then after others that have changed everything. */
  private void check(String options, String kinds) throws Exception {
    Outcome stock = probe(Home.COLD_JAVA, options, kinds);
    assertTrue(stock.out().endsWith("end of probe\n"), stock.toString());
    List<String> failures = new ArrayList<>();
    compare("first run", stock, probe(Home.JAVA, options, kinds), failures);
    for (int round = 1; round <= ROUNDS; round++) {
      Outcome dirty =
          run(Home.JAVA, options + " -Ddirty=1", "Asia/Tokyo", "kinds.Kind", "dirty", kinds);
      assertTrue(dirty.status() == 0 && dirty.out().endsWith("end of dirty\n"), dirty.toString());
      assertTrue(!dirty.out().contains("WRONG"), dirty.toString());
      compare("after " + round, stock, probe(Home.JAVA, options, kinds), failures);
    }
    assertTrue(failures.isEmpty(), () -> String.join("\n", failures) + pool.logs());
    pool.assertOneJvmServedLast(1 + 2 * ROUNDS);
  }

  private static void compare(String when, Outcome stock, Outcome seen, List<String> failures) {
    seen.differences(stock).forEach(line -> failures.add(when + ":\n  " + line));
  }

  /** Hadoop, Netty and loggers, from the class path of this test. */
  @Test
  void libraries() throws Exception {
    libraries =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> entry.endsWith(".jar"))
            .collect(Collectors.joining(File.pathSeparator, File.pathSeparator, ""));
    compile("kinds/Libraries");
    check("-XX:MaxDirectMemorySize=100m", "Libraries");
  }

  @Test
  void classLibrary() throws Exception {
    compile("kinds/Services", "kinds/References", "kinds/Reflection");
    check("-XX:MaxDirectMemorySize=48m", "Services,References,Reflection");
  }

  @Test
  void descriptions() throws Exception {
    compile("kinds/Descriptions");
    check("-Dshown=1", "Descriptions");
  }

  @Test
  void desktop() throws Exception {
    compile("kinds/Desktop");
    check("-Djava.security.manager=allow", "Desktop");
  }

  @Test
  void events() throws Exception {
    compile("kinds/Events");
    check("-Dsome=thing", "Events");
  }

  @Test
  void firstProperties() throws Exception {
    compile("kinds/FirstProperties");
    // Of those with a letter, some share a place in the table with others of the JDK.
    String letters = " -Da=1 -Db=2 -Dc=3 -Dd=4 -De=5 -Df=6 -Dg=7 -Dh=8 -Di=9 -Dj=10";
    check("-Dof.run=1 -Dempty -Duser.name=me -Djava.vm.name=ignored" + letters, "FirstProperties");
  }

  @Test
  void librariesOfTheJdk() throws Exception {
    compile("kinds/JdkLibraries");
    check("-Dsome=thing", "JdkLibraries");
  }

  @Test
  void management() throws Exception {
    assumeFalse(Home.IS_DEBUG, "a debug build of HotSpot has compiler directives of its own");
    compile("kinds/Identity", "kinds/Beans");
    // Less than a dirty run takes, and more than the start of a JVM on a busy machine.
    check("-Dfresh.ms=3900", "Identity,Beans");
  }

  @Test
  void everyAttributeOfManagement() throws Exception {
    assumeFalse(Home.IS_DEBUG, "a debug build of HotSpot has options of its own");
    compile("kinds/Attributes", "kinds/Beans");
    check("-Dsome=thing", "Attributes");
  }

  /** Those that the VM itself writes to, and whatever a pooled JVM is started with. */
  @ParameterizedTest
  @ValueSource(strings = {"-XX:+UseG1GC", "-XX:+UseParallelGC", "-XX:+UseSerialGC"})
  void everyOptionOfTheVm(String collector) throws Exception {
    assumeFalse(Home.IS_DEBUG, "a debug build of HotSpot has options of its own");
    compile("kinds/VmOptions");
    String shown = " -XX:+UnlockDiagnosticVMOptions -XX:+UnlockExperimentalVMOptions";
    check(collector + " -Xbatch" + shown, "VmOptions");
  }

  @Test
  void eventsOfTheVm() throws Exception {
    compile("kinds/VmEvents");
    check("-Xmx64m", "VmEvents");
  }

  @Test
  void namesOfClassesThatThereAreNot() throws Exception {
    compile("kinds/ClassNames");
    check("-Xmx64m", "ClassNames");
  }

  @Test
  void useByThreads() throws Exception {
    compile("kinds/ThreadUse");
    check("-Dsome=thing", "ThreadUse");
  }

  /** In main, and in threads by their order, with classes from a folder and from a jar. */
  @ParameterizedTest
  @ValueSource(strings = {"classes", "some.jar"})
  void identityHashCodesAreThoseOfAStockJvm(String path) throws Exception {
    compile("HashCodes");
    Path jar = pool.work().resolve("some.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        ZipOutputStream out = new ZipOutputStream(file)) {
      out.putNextEntry(new ZipEntry("HashCodes.class"));
      Files.copy(classes.resolve("HashCodes.class"), out);
    }
    classes = pool.work().resolve(path);
    Outcome stock = run(Home.COLD_JAVA, "", "UTC", "HashCodes", "0");
    assertEquals(3, stock.out().lines().count(), stock.toString());
    for (int round = 0; round < 3; round++) {
      assertEquals(stock, run(Home.JAVA, "", "UTC", "HashCodes", "0"), "round " + round);
      run(Home.JAVA, "", "UTC", "HashCodes", "300");
    }
    pool.assertOneJvmServedLast(6);
  }

  /**
   * Others than in the first runs, where loading and linking take some, too, and a class keeps its
   * own.
   */
  @Test
  void identityHashCodesAreTheSameInEveryRun() throws Exception {
    compile("kinds/Hashes");
    Outcome settled = null;
    for (int round = 0; round < 3; round++) {
      settled = probe(Home.JAVA, "", "Hashes");
    }
    for (int round = 0; round < ROUNDS; round++) {
      run(Home.JAVA, "", "UTC", "kinds.Kind", "dirty", "Hashes");
      assertEquals(settled, probe(Home.JAVA, "", "Hashes"), "round " + round);
    }
    pool.assertOneJvmServedLast(3 + 2 * ROUNDS);
  }

  private static String jars(String folder) throws Exception {
    try (Stream<Path> files =
        Files.list(Path.of(System.getProperty("hottub.test.libraries"), folder))) {
      return files.sorted().map(file -> File.pathSeparator + file).collect(Collectors.joining());
    }
  }

  /** Libraries that do not get along with Hadoop's; the sources in Java. */
  @ParameterizedTest
  @CsvSource({"log4j2, Log4j2", "logback, Logback"})
  void loggers(String folder, String kind) throws Exception {
    libraries = jars(folder);
    compile("kinds/Kind");
    Programs.compileWith(libraries, classes, "kinds/" + kind);
    check("-Dshown=1", kind);
  }

  /** By their own compilers. */
  @ParameterizedTest
  @CsvSource({
    "scala, scalac, scala.tools.nsc.Main -usejavacp, Scalas.scala",
    "groovy, groovy, org.codehaus.groovy.tools.FileSystemCompiler, Groovies.groovy"
  })
  void languages(String folder, String compiler, String command, String source) throws Exception {
    compile("kinds/Kind");
    libraries = jars(folder);
    String path = classes + libraries + (compiler.equals(folder) ? "" : jars(compiler));
    List<String> arguments = new ArrayList<>(List.of("-cp", path));
    arguments.addAll(List.of(command.split(" ")));
    arguments.addAll(List.of("-d", classes.toString()));
    arguments.add(Programs.program("kinds/" + source).toString());
    Outcome compiled = pool.cold(arguments);
    assertEquals(0, compiled.status(), compiled.toString());
    check("-Dshown=1", source.replaceAll("\\..*", ""));
  }

  @Test
  void kerberos() throws Exception {
    compile("kinds/Kerberos");
    check("-Dshown=1", "Kerberos");
  }

  @Test
  void images() throws Exception {
    compile("kinds/Images", "kinds/Survivors");
    String opens = "--add-opens=java.base/jdk.internal.jimage=ALL-UNNAMED";
    check(opens + " -XX:MaxDirectMemorySize=48m", "Images,Survivors");
  }

  @Test
  void openedClasses() throws Exception {
    compile("kinds/Opened");
    String concurrent = " --add-opens=java.base/java.util.concurrent=ALL-UNNAMED";
    check("--add-opens=java.base/java.lang=ALL-UNNAMED" + concurrent, "Opened");
  }

  @Test
  void classLoadersOfTheJvm() throws Exception {
    compile("kinds/Loaders", "kinds/LoaderValues");
    check("-Dshown=1", "Loaders,LoaderValues");
  }

  @Test
  void functionsOfTheCLibrary() throws Exception {
    compile("kinds/SystemLookups");
    String access = " --enable-native-access=ALL-UNNAMED";
    check("--add-modules=jdk.incubator.foreign" + access, "SystemLookups");
  }

  @Test
  void printers() throws Exception {
    compile("kinds/Printers");
    check("-Dshown=1", "Printers");
  }

  @Test
  void threadsOfTheJvm() throws Exception {
    compile("kinds/JvmThreads");
    check("-Dshown=1", "JvmThreads");
  }

  @Test
  void security() throws Exception {
    compile("kinds/Securities");
    check("-Dshown=1", "Securities");
  }

  /** One that reflection reads when a run first needs it. */
  @Test
  void propertiesOfReflectionAreThoseOfTheRun() throws Exception {
    compile("Inflates");
    List<String> values = List.of("", "true", "", "true", "false");
    for (String value : values) {
      String[] arguments = ("Inflates " + value).trim().split(" ");
      Outcome stock = run(Home.COLD_JAVA, "", "UTC", arguments);
      assertEquals(value.equals("true"), stock.out().contains("GeneratedMethod"), stock.toString());
      assertEquals(stock, run(Home.JAVA, "", "UTC", arguments), value + pool.logs());
    }
    pool.assertOneJvmServedLast(values.size());
  }

  /** One that a run sets itself, and that is read when a run first needs it. */
  @Test
  void propertiesOfZipFilesAreThoseOfTheRun() throws Exception {
    compile("Zips");
    List<String> values = List.of("true", "", "false", "true");
    String options = "--add-opens=java.base/java.util.zip=ALL-UNNAMED";
    for (String value : values) {
      String[] arguments = ("Zips " + value).trim().split(" ");
      Outcome stock = run(Home.COLD_JAVA, options, "UTC", arguments);
      assertEquals(value.equals("true"), stock.out().contains("true"), stock.toString());
      assertEquals(stock, run(Home.JAVA, options, "UTC", arguments), value + pool.logs());
    }
    pool.assertOneJvmServedLast(values.size());
  }

  /** By the first run of a JVM, for the whole JDK. The next run must not see that. */
  @Test
  void propertiesThatAreReadOnceAreOfNoRun() throws Exception {
    compile("ReadOnce");
    Outcome stock = run(Home.COLD_JAVA, "", "UTC", "ReadOnce", "plain", "Second");
    assertTrue(stock.out().startsWith("proxy saved: false\nframes: "), stock.toString());
    Outcome set = run(Home.COLD_JAVA, "", "UTC", "ReadOnce", "set", "First");
    assertTrue(set.out().contains("proxy saved: true\n"), set.toString());
    Outcome pooled = run(Home.JAVA, "", "UTC", "ReadOnce", "set", "First");
    assertTrue(pooled.out().contains("proxy saved: true\n"), pooled.toString());
    assertEquals(stock, run(Home.JAVA, "", "UTC", "ReadOnce", "plain", "Second"), pool.logs());
    pool.assertOneJvmServedLast(2);
  }

  /** Code that throws often is compiled without them; a run before may have had it compiled. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "-Xbatch",
        "-Xbatch -XX:-TieredCompilation",
        "-Xbatch -XX:+OmitStackTraceInFastThrow"
      })
  void theFirstExceptionsHaveStackTraces(String options) throws Exception {
    compile("Traces");
    List<String> counts = List.of("2", "40000", "2", "40000", "40000", "2");
    for (String count : counts) {
      Outcome stock = run(Home.COLD_JAVA, options, "UTC", "Traces", count);
      assertTrue(stock.out().contains("at Traces.third"), stock.toString());
      assertEquals(stock, run(Home.JAVA, options, "UTC", "Traces", count), count + pool.logs());
    }
    pool.assertOneJvmServedLast(counts.size());
  }

  /** In interpreted and in compiled code of both compilers. */
  @ParameterizedTest
  @CsvSource({
    "-Xint",
    "-Xbatch",
    "-Xbatch -XX:TieredStopAtLevel=1",
    "-Xbatch -XX:-TieredCompilation",
    "-Xmixed"
  })
  void linkage(String options) throws Exception {
    Path generated = Files.createDirectories(pool.work().resolve("classes/kinds")).getParent();
    Outcome generator =
        pool.cold(
            "--add-exports=java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED",
            Programs.source("GenerateSites").toString(),
            generated.toString());
    assertEquals(new Outcome(0, "", ""), generator);
    compile("joins/Joins", "kinds/CallSites", "kinds/Errors", "kinds/Lambdas");
    Files.delete(classes.resolve("kinds/Missing.class"));
    check(options, "CallSites,Errors,Lambdas");
  }

  @Test
  void everyRunHasItsOwnRandomNumbers() throws Exception {
    compile("kinds/Randoms");
    Set<String> seen = new HashSet<>();
    for (int round = 0; round < 4; round++) {
      for (String line : probe(Home.JAVA, "", "Randoms").out().split("\n", -1)) {
        assertTrue(seen.add(line) || !line.startsWith("Randoms"), "again: " + line);
      }
    }
    pool.assertOneJvmServedLast(4);
  }

  /**
   * In the class loader of the application: another run does not find them, and defines the same
   * again, or others of the same names.
   */
  @Test
  void classesDefinedAtRunTime() throws Exception {
    compile("kinds/Definitions", "kinds/Later", "kinds/LaterUser");
    for (String moved : List.of("Later", "LaterUser")) {
      Files.move(
          classes.resolve("kinds/" + moved + ".class"), pool.work().resolve(moved + ".class"));
    }
    String options = "--add-opens=java.base/java.lang=ALL-UNNAMED";
    List<String> runs =
        List.of(
            "one",
            "one",
            "",
            "two",
            "one one",
            "two",
            "one user",
            "two user",
            "user",
            "many",
            "other",
            "signed");
    List<String> failures = new ArrayList<>();
    for (int round = 0; round < 2 * ROUNDS; round++) {
      for (String run : runs) {
        String[] arguments = ("kinds.Definitions " + run).split(" ");
        Outcome stock = run(Home.COLD_JAVA, options, "UTC", arguments);
        assertEquals(0, stock.status(), stock.toString());
        compare(round + ", " + run, stock, run(Home.JAVA, options, "UTC", arguments), failures);
      }
    }
    assertTrue(failures.isEmpty(), () -> String.join("\n", failures) + pool.logs());
    pool.assertOneJvmServedLast(2 * ROUNDS * runs.size());
  }

  /** The run itself is as on a stock JVM; the JVM ends with it, so the next run is, too. */
  @ParameterizedTest
  @CsvSource({
    "define, a class names one that was defined at run time: kinds.LaterUser",
    "defineFirst, a class was defined at run time before others of its package: LaterLaterX",
    "defineInLibrary, a class was defined at run time: java.io.Ltr",
    "defineMany, a class was defined at run time: kinds.L1000",
    "layer, the run has defined the module kinds.made.here to a class loader of the JVM",
    "open, a module was given access that it did not declare",
    "image, an image of modules is read by a descriptor of the run",
    "record, an agent was loaded",
    "keep, kinds.Unresettable$Left: 1 objects of the application are left",
    "loader, java.net.URLClassLoader: ",
    "lock, half done: java.util.concurrent.locks.ReentrantLock$NonfairSync",
    "library, half done: /nowhere/libsome.so",
    "finalizer, a thread of the JVM runs code of the run",
    "stop, a thread of the JVM was ended",
    "literal, a literal of kinds.Unresettable was changed",
    "newLiteral, a literal of kinds.Unresettable was changed",
    "noLiteral, a literal of kinds.Unresettable was changed",
    "hash, 1 strings were changed",
    "constant, what the VM knows of kinds.Unresettable was changed",
    "constantOfLibrary, what the VM knows of java.lang.invoke.MethodHandleInfo was changed",
    "text, what the VM knows of kinds.Unresettable was changed",
    "module, what the VM knows of kinds.Unresettable$Left was changed",
    "className, what the VM knows of kinds.Unresettable$Left was changed",
    "classLoader, what the VM knows of kinds.Unresettable$Left was changed",
    "component, what the VM knows of [Ljava.lang.String; was changed",
    "name, 1 strings were changed",
    "inside, a thread of the run has ended inside of jdk.internal.jimage.",
    "cleaner, reference processing failed: java.lang.IllegalStateException: thrown by a cleaner at"
  })
  void whatCannotBeTakenBackEndsTheJvm(String what, String reason) throws Exception {
    compile("kinds/Unresettable", "kinds/Later", "kinds/LaterUser", "Small");
    Files.move(classes.resolve("kinds/Later.class"), pool.work().resolve("Later.class"));
    String options =
        "--add-opens=java.base/java.lang=ALL-UNNAMED"
            + " --add-opens=java.base/java.io=ALL-UNNAMED"
            + " --add-opens=java.base/java.util.zip=ALL-UNNAMED"
            + " --add-opens=java.base/jdk.internal.loader=ALL-UNNAMED"
            + " --add-exports=java.base/jdk.internal.ref=ALL-UNNAMED"
            + " --add-exports=java.base/jdk.internal.jimage=ALL-UNNAMED"
            + " -Djdk.image.map.all=false";
    String[] arguments = {"kinds.Unresettable", what};
    Outcome stock = run(Home.COLD_JAVA, options, "UTC", arguments);
    assertEquals(3, stock.status(), stock.toString());
    for (int round = 0; round < 2; round++) {
      assertEquals(stock, run(Home.JAVA, options, "UTC", arguments), pool.logs());
    }
    assertTrue(pool.logs().contains(reason), pool.logs());
    List<Long> served = pool.servedBy();
    List<Long> pooled = served.subList(served.size() - 2, served.size());
    assertTrue(!pooled.contains(0L) && new HashSet<>(pooled).size() == 2, pool.logs());
  }
}
