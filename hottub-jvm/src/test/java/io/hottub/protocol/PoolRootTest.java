// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The rule that finds the root of the pool, with the cases of {@code roots.tsv}, which the client
 * keeps as well (native/test/root-test.c).
 */
class PoolRootTest {
  private static final Path TABLE = Path.of("roots.tsv");
  private static final String ANOTHER_UID = "61234";
  private static final int OTHER = 61235;
  private static final Set<PosixFilePermission> ALL = PosixFilePermissions.fromString("rwxrwxrwx");

  @Test
  void everyCaseThatThisUserCanHave() throws IOException {
    assertEquals("", String.join("\n", Cases.failures(TABLE)));
  }

  @Test
  void everyCaseOfAUserWhoIsNotRoot(@TempDir Path open) throws Exception {
    assumeTrue(OwnUser.uid() == 0, "needs root, to be two users");
    // The classes of the test may be in a folder that the other user cannot enter.
    Files.setPosixFilePermissions(open, ALL);
    String folder = PoolRootTest.class.getPackageName().replace('.', '/');
    Files.createDirectories(open.resolve(folder));
    for (Class<?> origin : List.of(PoolDirectory.class, PoolRootTest.class)) {
      Path classes = Path.of(origin.getProtectionDomain().getCodeSource().getLocation().toURI());
      try (Stream<Path> files = Files.list(classes.resolve(folder))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          Files.copy(file, open.resolve(folder).resolve(file.getFileName()));
        }
      }
    }
    Path table = Files.copy(TABLE, open.resolve("roots.tsv"));
    Process other =
        new ProcessBuilder(
                "setpriv",
                "--reuid=" + ANOTHER_UID,
                "--regid=" + ANOTHER_UID,
                "--clear-groups",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                open.toString(),
                Cases.class.getName(),
                table.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals("done\n", said);
    assertEquals(0, other.waitFor());
  }

  /** Without JUnit, so that another user can run it. */
  static final class Cases {
    private Cases() {}

    public static void main(String[] args) throws IOException {
      failures(Path.of(args[0])).forEach(System.out::println);
      System.out.println("done");
    }

    static List<String> failures(Path table) throws IOException {
      List<String> failures = new ArrayList<>();
      String notOurs = OwnUser.uid() == 0 ? "user" : "root";
      for (String line : Files.readAllLines(table)) {
        if (!line.startsWith("#") && !line.startsWith(notOurs + "\t")) {
          String[] fields = line.split("\t", -1);
          // Short: socket addresses are.
          Path folder = Files.createTempDirectory(Path.of("/tmp"), "r");
          try {
            String expected = filledIn(fields[3], folder);
            String got = root(fields[1], fields[2], folder);
            if (!got.equals(expected)) {
              failures.add(fields[4] + ": expected <" + expected + ">, got <" + got + ">");
            }
          } finally {
            remove(folder);
          }
        }
      }
      return failures;
    }

    private static String filledIn(String text, Path folder) throws IOException {
      return text.replace("@", folder.toString()).replace("UID", Integer.toString(OwnUser.uid()));
    }

    private static String root(String environment, String folders, Path folder) throws IOException {
      setMode(folder, "0755");
      List<String[]> made = new ArrayList<>();
      for (String item : folders.split(" ", -1)) {
        if (!item.equals("-")) {
          String[] parts = item.split("=", 2);
          parts[0] = filledIn("@/" + parts[0], folder);
          make(Path.of(parts[0]), parts[1]);
          made.add(parts);
        }
      }
      for (String[] parts : made) {
        finish(Path.of(parts[0]), parts[1]);
      }
      Map<String, String> variables = new HashMap<>();
      for (String variable : environment.split(" ", -1)) {
        if (!variable.equals("-")) {
          String[] parts = variable.split("=", 2);
          variables.put(parts[0], filledIn(parts[1], folder));
        }
      }
      try {
        PoolDirectory pool =
            PoolDirectory.resolve(variables, folder.resolve("run/hottub"), folder.resolve("users"));
        pool.create();
        return pool.root().toString();
      } catch (NoPoolException e) {
        return "none: " + e.reason();
      } catch (IOException e) {
        return "failed: " + e.getMessage();
      }
    }

    private static void make(Path path, String what) throws IOException {
      if (what.startsWith(">")) {
        Files.createSymbolicLink(path, Path.of(what.substring(1)));
      } else if (what.equals("file")) {
        Files.createFile(path);
      } else {
        Files.createDirectory(path);
      }
    }

    /** After all are made: some cannot be written in any more. */
    private static void finish(Path path, String what) throws IOException {
      if (!what.startsWith(">") && !what.equals("file")) {
        String[] parts = what.split("@", 2);
        setMode(path, parts[0]);
        if (parts.length > 1) {
          Files.setAttribute(path, "unix:uid", OTHER);
        }
      }
    }

    private static void setMode(Path path, String octal) throws IOException {
      Files.setAttribute(path, "unix:mode", Integer.parseInt(octal, 8));
    }

    /** Also where the case has closed a folder. */
    private static void remove(Path folder) throws IOException {
      Files.walkFileTree(
          folder,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes)
                throws IOException {
              setMode(dir, "0700");
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.delete(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path dir, IOException e) throws IOException {
              Files.delete(dir);
              return FileVisitResult.CONTINUE;
            }
          });
    }
  }

  @Test
  void theReasonsAreThoseOfTheClient() {
    for (String reason : List.of(NoPoolException.NONE, NoPoolException.UNSAFE)) {
      assertTrue(Reasons.of(Reasons.Kind.COLD, reason).isPresent(), reason);
    }
  }
}
