// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.recipes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.codahale.metrics.MetricRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecipeFolderTest {
  private static final String GOOD = "class-path=/a.jar\nmain-class=A\n";

  private final MetricRegistry registry = new MetricRegistry();
  @TempDir private Path folder;

  private Path write(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
  }

  private List<String> names() {
    return RecipeFolder.read(folder, registry).stream().map(Recipe::name).toList();
  }

  private long broken() {
    return registry.counter("recipes.broken").getCount();
  }

  @Test
  void whatIsBrokenCostsOnlyItself() throws Exception {
    write("b.properties", GOOD);
    write("a.properties", GOOD);
    write("c.properties", GOOD + "runs=0\n");
    write("notes.txt", "no recipe");
    Files.createDirectory(folder.resolve("d.properties"));
    assertEquals(List.of("a", "b"), names());
    assertEquals(2, broken());
  }

  @Test
  void whatOthersCanWriteIsNotRun() throws Exception {
    Path file = write("a.properties", GOOD);
    write("b.properties", GOOD);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));
    assertEquals(List.of("b"), names());
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertEquals(List.of(), names());
    assertEquals(2, broken());
  }

  @Test
  void aFolderThatIsNotThere() {
    assertEquals(List.of(), RecipeFolder.read(folder.resolve("none"), registry));
    assertEquals(1, broken());
  }
}
