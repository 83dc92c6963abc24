// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** The HotTub home under test, and the programs that it runs. */
public final class Home {
  /** The client. */
  public static final Path JAVA = path().resolve("bin/java");

  /** The unpatched JVM of the same home: what every run is compared with. */
  public static final Path COLD_JAVA = path().resolve("bin/java-cold");

  /** HotSpot checks itself, which takes time. */
  static final boolean IS_DEBUG = isDebug();

  private static final Path PROGRAMS = Path.of(property("hottub.test.programs"));

  private Home() {}

  private static String property(String name) {
    String value = System.getProperty(name);
    assertTrue(value != null, "the system property " + name + " is set by the build");
    return value;
  }

  /** Folder of the home. */
  public static Path path() {
    Path home = Path.of(property("hottub.home")).toAbsolutePath().normalize();
    assertTrue(
        Files.isExecutable(home.resolve("bin/java-cold")),
        "there is no HotTub home at " + home + "; hottub-jvm/build/home makes one");
    return home;
  }

  private static boolean isDebug() {
    try {
      Process version =
          new ProcessBuilder(COLD_JAVA.toString(), "-Xinternalversion")
              .redirectErrorStream(true)
              .start();
      return new String(version.getInputStream().readAllBytes(), UTF_8).contains("fastdebug");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Compiles the source files of these names and what they name into a folder of classes. */
  public static Path compile(Path classes, String... names) throws IOException {
    return compileWith("", classes, names);
  }

  /** With further entries of the class path, each after a separator. */
  public static Path compileWith(String libraries, Path classes, String... names)
      throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of("-nowarn", "-XDignore.symbol.file", "-sourcepath", PROGRAMS.toString()));
    arguments.add("--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED");
    arguments.addAll(List.of("-d", Files.createDirectories(classes).toString()));
    arguments.addAll(
        List.of(
            "-classpath",
            classes + libraries + File.pathSeparator + System.getProperty("java.class.path")));
    for (String name : names) {
      arguments.add(source(name).toString());
    }
    compile(classes, arguments);
    return classes;
  }

  /** Compiles modules of the programs, each into a subfolder. */
  static Path compileModules(Path modules, String... names) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("-d", modules.toString()));
    arguments.addAll(List.of("--module-source-path", PROGRAMS.resolve("modules").toString()));
    arguments.addAll(List.of("--module", String.join(",", names)));
    compile(modules, arguments);
    return modules;
  }

  private static void compile(Path classes, List<String> arguments) throws IOException {
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    assertEquals(0, status, "the test's program compiles");
    // The client trusts no digest of a file that is younger than 2 s; older files start faster.
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.toList()) {
        Files.setLastModifiedTime(file, java.nio.file.attribute.FileTime.fromMillis(1_000_000_000));
      }
    }
  }

  /** Compiles a C source file into a shared library. */
  static Path compileLibrary(Path library, String name) throws Exception {
    Path include = path().resolve("include");
    List<String> command = new ArrayList<>(List.of("cc", "-shared", "-fPIC", "-O1", "-pthread"));
    command.addAll(List.of("-I" + include, "-I" + include.resolve("linux")));
    command.addAll(List.of("-o", library.toString(), PROGRAMS.resolve(name + ".c").toString()));
    // As many libraries in jars do, by way of an old libc: empty today, but it stays loaded.
    command.addAll(List.of("-lm", "-Wl,--no-as-needed", "-l:librt.so.1"));
    assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor(), "it compiles");
    return library;
  }

  /** The source file of a test's program. */
  static Path source(String name) {
    return program(name + ".java");
  }

  /** One in another language. */
  public static Path program(String name) {
    return PROGRAMS.resolve(name);
  }
}
