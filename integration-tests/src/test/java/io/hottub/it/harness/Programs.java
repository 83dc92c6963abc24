// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * What tests run: sources in the folder {@code programs} of the topic whose tests run them. A test
 * names one by its file alone; no two topics have the same.
 */
public final class Programs {
  private static final List<Path> FOLDERS = folders();

  private Programs() {}

  private static List<Path> folders() {
    try (Stream<Path> topics = Files.list(Path.of(Home.property("hottub.test.topics")))) {
      return topics.map(topic -> topic.resolve("programs")).filter(Files::isDirectory).toList();
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
        new ArrayList<>(List.of("-nowarn", "-XDignore.symbol.file", "-sourcepath", sourcePath()));
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
  public static Path compileModules(Path modules, String... names) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("-d", modules.toString()));
    arguments.addAll(List.of("--module-source-path", program("modules").toString()));
    arguments.addAll(List.of("--module", String.join(",", names)));
    compile(modules, arguments);
    return modules;
  }

  /** Compiles a source file that a test has written, and that may use what is there. */
  public static Path compileSource(Path classes, Path source) throws IOException {
    String folder = Files.createDirectories(classes).toString();
    compile(classes, List.of("-d", folder, "-cp", folder, source.toString()));
    return classes;
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
  public static Path compileLibrary(Path library, String name, String... options) throws Exception {
    Path include = Home.path().resolve("include");
    List<String> command = new ArrayList<>(List.of("cc", "-shared", "-fPIC", "-O1", "-pthread"));
    command.addAll(List.of("-I" + include, "-I" + include.resolve("linux")));
    command.addAll(List.of("-o", library.toString(), program(name + ".c").toString()));
    // As many libraries in jars do, by way of an old libc: empty today, but it stays loaded.
    command.addAll(List.of("-lm", "-Wl,--no-as-needed", "-l:librt.so.1"));
    // It opens others beside it by their names.
    command.addAll(List.of("-L" + library.getParent(), "-Wl,-rpath,$ORIGIN"));
    command.addAll(List.of(options));
    assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor(), "it compiles");
    return library;
  }

  private static String sourcePath() {
    return FOLDERS.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  /** All jars of a folder, as libraries to compile with. */
  static String jarsIn(Path folder) throws IOException {
    StringBuilder libraries = new StringBuilder();
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, "*.jar")) {
      jars.forEach(jar -> libraries.append(File.pathSeparator).append(jar));
    }
    return libraries.toString();
  }

  /** Makes a jar of compiled classes. */
  public static Path jar(Path jar, Path classes) {
    int status =
        java.util.spi.ToolProvider.findFirst("jar")
            .orElseThrow()
            .run(
                System.out, System.err, "--create", "--file=" + jar, "-C", classes.toString(), ".");
    assertEquals(0, status, jar + " is made");
    return jar;
  }

  /** The source file of a test's program. */
  public static Path source(String name) {
    return program(name + ".java");
  }

  /** One in another language, or a folder of them. */
  public static Path program(String name) {
    List<Path> found =
        FOLDERS.stream().map(folder -> folder.resolve(name)).filter(Files::exists).toList();
    assertEquals(1, found.size(), () -> name + " in " + FOLDERS);
    return found.get(0);
  }
}
