// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.recipes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecipeTest {
  private static final String LEAST = "class-path=/a.jar\nmain-class=A\n";

  @Test
  void allThatCanBeSaid() throws Exception {
    assertEquals(
        new Recipe(
            "list",
            "alice",
            List.of("-Xmx64m", "-Dtext=two words", "--add-opens", "a/b=c"),
            "/etc/a:/lib/*",
            "A",
            List.of("-ls", "two words", ""),
            Map.of("LANG", "C.UTF-8", "EMPTY", "", "HOTTUB_ISOLATION", "clone"),
            7,
            2,
            Duration.ofSeconds(90)),
        Recipe.parse(
            "list",
            """
            # comment
            user = alice
            options = -Xmx64m "-Dtext=two words" \\
                --add-opens a/b=c
            class-path = /etc/a:/lib/*
            main-class = A
            arguments = -ls "two words" ""
            environment.LANG = C.UTF-8
            environment.EMPTY =
            environment.HOTTUB_ISOLATION = clone
            runs = 7
            min-idle = 2
            deadline-seconds = 90
            """));
  }

  /** Those of the tarball; what trains is in a jar of it, or Hadoop's own. */
  @Test
  void shippedOnesAreRecipes() throws Exception {
    Set<String> trainers = new TreeSet<>();
    try (Stream<Path> files = Files.list(Path.of("../deploy/dist/conf/recipes"))) {
      for (Path file : files.toList()) {
        Recipe recipe = Recipe.parse(Recipe.nameOf(file), Files.readString(file));
        if (recipe.mainClass().equals("org.apache.hadoop.util.RunJar")) {
          assertEquals("/opt/hottub/lib/trainers.jar", recipe.arguments().get(0), recipe.name());
          trainers.add(recipe.arguments().get(1));
        }
      }
    }
    assertEquals(Set.of("io.hottub.mapreduce.Trainer", "io.hottub.tez.Trainer"), trainers);
    for (String trainer : trainers) {
      Path source = Path.of("../tez-plugin/src/main/java", trainer.replace('.', '/') + ".java");
      assertTrue(Files.exists(source), source.toString());
    }
  }

  @Test
  void leastThatMustBeSaid() throws Exception {
    Recipe recipe = Recipe.parse("a", LEAST);
    assertEquals("", recipe.user());
    assertEquals(List.of(), recipe.arguments());
    assertEquals(3, recipe.runs());
    assertEquals(1, recipe.minIdle());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "runs=0 | runs is \"0\", not a whole number from 1 to 100",
        "runs=many | runs is \"many\", not a whole number from 1 to 100",
        "min-idle=65 | min-idle is \"65\", not a whole number from 1 to 64",
        "main-class= | no main-class",
        "class-path= | no class-path",
        "option=-Xmx1g | unknown option",
        "environment.HOTTUB_DIR=/x | environment.HOTTUB_DIR is not for recipes to set",
        "environment.HOTTUB_ISOLATIONS=x | environment.HOTTUB_ISOLATIONS is not for recipes to set",
        "environment.CLASSPATH=/x | environment.CLASSPATH is not for recipes to set",
        "user=\\u12 | not a properties file: Malformed \\uxxxx encoding."
      })
  void whatIsWrong(String line, String message) {
    IOException e =
        assertThrows(IOException.class, () -> Recipe.parse("a", LEAST + line.strip() + "\n"));
    assertEquals(message.strip(), e.getMessage());
  }

  @Test
  void aNameThatIsNoName() {
    assertThrows(IOException.class, () -> Recipe.parse("a b", LEAST));
    assertThrows(IOException.class, () -> Recipe.parse("", LEAST));
    assertThrows(IOException.class, () -> Recipe.parse(".a", LEAST));
  }
}
