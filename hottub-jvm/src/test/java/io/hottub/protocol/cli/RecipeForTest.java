// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecipeForTest {
  @TempDir Path temp;
  private Path cwd;
  private Path cache;

  @BeforeEach
  void createContainer() throws IOException {
    temp = temp.toRealPath();
    cwd = Files.createDirectories(temp.resolve("container/work"));
    cache = Files.createDirectories(temp.resolve("cache/libs"));
    Files.createSymbolicLink(cwd.resolve("libs"), cache);
    Files.createFile(cache.resolve("a.jar"));
    Files.createSymbolicLink(cwd.resolve("app.jar"), cache.resolve("a.jar"));
    Files.createDirectory(cwd.resolve("conf"));
  }

  private String text(Map<String, String> environment, String... words) throws IOException {
    return new RecipeFor(List.of(words), cwd, environment)
        .text("Trainer", List.of("x", "two words"));
  }

  private static String line(String text, String key) {
    return text.lines().filter(line -> line.startsWith(key + " = ")).findFirst().orElse("none");
  }

  @Test
  void optionsAreThoseBeforeTheMainClass() throws IOException {
    String text =
        text(
            Map.of("PWD", cwd.toString()),
            "/jdk/bin/java",
            "-Xmx1g",
            "--add-opens",
            "java.base/java.lang=ALL-UNNAMED",
            "-Djava.io.tmpdir=" + cwd + "/tmp",
            "-Dsecret=word",
            "-XX:OnOutOfMemoryError=kill %p",
            "-cp",
            "/a.jar",
            "org.Main",
            "-Djava.argument=1");
    assertEquals(
        "options = -Xmx1g --add-opens java.base/java.lang=ALL-UNNAMED -Djava.io.tmpdir=./tmp"
            + " \"-XX:OnOutOfMemoryError=kill %p\"",
        line(text, "options"));
    assertEquals("class-path = /a.jar", line(text, "class-path"));
    assertEquals("main-class = Trainer", line(text, "main-class"));
    assertEquals("arguments = x \"two words\"", line(text, "arguments"));
    assertTrue(text.startsWith("# For JVMs of org.Main.\n"), text);
  }

  @Test
  void classPathOutlivesTheContainer() throws IOException {
    String path =
        String.join(
            ":", "", cwd + "/conf", "libs/*", cwd + "/app.jar", cwd + "/none", "/etc", "/none/*");
    String text = text(Map.of("CLASSPATH", path), "java", "Main");
    assertEquals(
        "class-path = .:.:%1$s:%1$s:./none:/etc:/none/*".formatted(cache.resolve("a.jar")),
        line(text, "class-path"));
  }

  @Test
  void wildcardsOfTheContainerAreWhatTheyStandForInItsOrder() throws IOException {
    List<String> names = List.of("z.jar", "b.JAR", "m.jar", "c.jar", "k.txt", "y.jar");
    for (String name : names) {
      Files.createFile(cache.resolve(name));
    }
    Files.createDirectory(cwd.resolve("job.jar"));
    String node = Files.createDirectory(temp.resolve("node")) + "/*";
    List<String> listed = new ArrayList<>();
    try (Stream<Path> files = Files.list(cache)) {
      files
          .map(Path::toString)
          .filter(file -> file.toLowerCase(Locale.ROOT).endsWith(".jar"))
          .forEach(listed::add);
    }
    assertEquals(6, listed.size());
    String text = text(Map.of("CLASSPATH", "libs/*:" + node), "java", "Main");
    assertEquals("class-path = " + String.join(":", listed) + ":" + node, line(text, "class-path"));

    text = text(Map.of("PWD", cwd.toString(), "CLASSPATH", cwd + "/*"), "java", "Main");
    String jars = line(text, "class-path").replace("class-path = ", "");
    assertEquals(Set.of(".", cache.resolve("a.jar").toString()), Set.of(jars.split(":", -1)), text);
  }

  @Test
  void wildcardsWithoutJarsStayAsTheyAre() throws IOException {
    String text = text(Map.of("CLASSPATH", "conf/*:none/*"), "java", "Main");
    assertEquals("class-path = ./conf/*:./none/*", line(text, "class-path"));
  }

  @Test
  void onlyTheWorkingDirectoryIsReplaced() throws IOException {
    String option = "-Djava.a=" + cwd + "-other:" + cwd + "/own";
    assertEquals(
        "options = -Djava.a=" + cwd + "-other:./own",
        line(text(Map.of("PWD", "/"), "java", option, "Main"), "options"));
    String text =
        new RecipeFor(List.of("java", "-cp", "/a.jar:/etc", "Main"), Path.of("/"), Map.of())
            .text("Trainer", List.of("/x"));
    assertEquals("class-path = /a.jar:/etc", line(text, "class-path"));
    assertEquals("arguments = /x", line(text, "arguments"));
  }

  @Test
  void onlyVariablesOfTheFingerprintAreCopied() throws IOException {
    String text =
        text(
            Map.of(
                "HOTTUB_TENANT",
                "ann",
                "HOTTUB_ISOLATION",
                "clone",
                "LANG",
                "C",
                "MALLOC_ARENA_MAX",
                "",
                "TOKEN",
                "secret"),
            "java",
            "Main");
    assertEquals(
        "environment.HOTTUB_ISOLATION = clone", line(text, "environment.HOTTUB_ISOLATION"));
    assertEquals("user = ann", line(text, "user"));
    assertEquals("environment.LANG = C", line(text, "environment.LANG"));
    assertEquals("environment.MALLOC_ARENA_MAX = ", line(text, "environment.MALLOC_ARENA_MAX"));
    assertTrue(!text.contains("secret"), text);
  }

  /** The strings of the first list behind a text in the source of the client. */
  private static List<String> namesOfTheClient(String file, String before) throws IOException {
    String source = Files.readString(Path.of("native/client", file));
    int at = source.indexOf(before);
    assertTrue(at >= 0, before);
    String list = source.substring(at, source.indexOf("NULL}", at));
    return Pattern.compile("\"([^\"]+)\"").matcher(list).results().map(m -> m.group(1)).toList();
  }

  /** The client makes the fingerprint; this class only repeats what it takes. */
  @Test
  void namesAreThoseOfTheClient() throws IOException {
    List<String> variables = namesOfTheClient("identity.c", "prefixes[] = {");
    assertTrue(variables.contains("LANG="), variables.toString());
    for (String variable : variables) {
      String name = variable.endsWith("=") ? variable.replace("=", "") : variable + "X";
      String key = "environment." + name;
      assertEquals(key + " = 1", line(text(Map.of(name, "1"), "java", "Main"), key));
    }
    List<String> options = namesOfTheClient("launch.c", "is_module_system_option(");
    assertTrue(options.contains("--add-opens"), options.toString());
    for (String option : options) {
      String text = text(Map.of(), "java", option, "value", "Main");
      assertEquals("options = " + option + " value", line(text, "options"));
    }
    List<String> properties = namesOfTheClient("options.c", "boot_properties[] = {");
    assertTrue(properties.contains("java.*"), properties.toString());
    for (String property : properties) {
      String option = "-D" + property.replace("*", "x") + "=1";
      assertEquals("options = " + option, line(text(Map.of(), "java", option, "Main"), "options"));
    }
  }

  @Test
  void whatNoRecipeCanSayIsRefused() {
    for (String[] words :
        List.of(
            new String[] {"java", "-jar", "a.jar"},
            new String[] {"java", "-m", "a/b"},
            new String[] {"java", "@file"},
            new String[] {"java", "-Xmx1g"},
            new String[] {"sleep", "100"},
            new String[] {"java", "-Xlog:\"a\"", "Main"},
            new String[] {"java", "-Xlog:a\nb", "Main"})) {
      assertThrows(IOException.class, () -> text(Map.of(), words), String.join(" ", words));
    }
    IOException e = assertThrows(IOException.class, () -> RecipeFor.process("self"));
    assertEquals("self is no process", e.getMessage());
  }
}
