// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Source files that {@code java} compiles and runs. */
@NeedsHome
class SourceIT {
  private static final int RUNS = 3;

  private Pool pool;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    Path work = pool.work();
    Programs.compile(work.resolve("classes"), "Small");
    Files.writeString(
        work.resolve("Hello.java"),
        """
        import java.util.*;
        record Point(int x, int y) {}
        public class Hello {
          static int runs;
          public static void main(String[] args) throws Exception {
            System.out.println(++runs + " " + new Point(1, 2) + " " + Arrays.toString(args));
            System.out.println(System.getProperty("java.class.path"));
            System.out.println(System.getProperty("sun.java.command"));
            System.out.println(System.getProperty("jdk.module.main"));
            System.out.println(Hello.class.getClassLoader().getClass().getName());
            System.out.println(Hello.class.getResource("Point.class"));
            for (String name : List.of("Small", "Point", "java.sql.Driver", "jdk.net.Sockets")) {
              try {
                System.out.println(Class.forName(name).getModule().getName());
              } catch (ClassNotFoundException e) {
                System.out.println(e);
              }
            }
            if (args.length > 0 && args[0].equals("throw")) throw new Exception("thrown");
            if (args.length > 0 && args[0].equals("exit")) System.exit(5);
          }
        }
        """);
    Files.writeString(work.resolve("Broken.java"), "class Broken { int x = \"\"; }\n");
    Files.writeString(work.resolve("Empty.java"), "\n");
    Files.writeString(
        work.resolve("Warns.java"),
        "class Warns { public static void main(String[] a) { new java.util.Date(1, 2, 3); } }\n");
    Path script = work.resolve("script");
    Files.writeString(
        script,
        "#!"
            + Home.JAVA
            + " --source 17\nclass S { public static void main(String[] a) {"
            + " System.out.println(a.length + \" of the script\"); } }\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Hello.java one two",
        "Hello.java throw",
        "Hello.java exit",
        "-cp classes Hello.java",
        "--source 17 Hello.java",
        "--source 11 Hello.java",
        "--source 17 script one",
        "-Xmx64m --add-modules java.sql Hello.java",
        "Broken.java",
        "Empty.java",
        "Warns.java",
        "--source none Hello.java",
        "--source 17 absent",
      })
  void aSourceFileRunsAsOnStock(String line) throws Exception {
    List<String> arguments = List.of(line.split(" "));
    Outcome stock = pool.stock(arguments);
    for (int run = 0; run < RUNS; run++) {
      assertEquals(List.of(), pool.run(arguments).differences(stock), line + pool.logs());
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(RUNS);
  }

  @Test
  void scriptsAndChangedSourcesShareAJvm() throws Exception {
    Path script = pool.work().resolve("script");
    for (int run = 0; run < RUNS; run++) {
      Files.writeString(script, Files.readString(script).replace("of the", "of the " + run));
      Outcome outcome = pool.start(pool.builder(List.of(script.toString(), "x"))).await();
      assertEquals(0, outcome.status(), outcome.toString());
      assertEquals(run, outcome.out().indexOf(run + "") >= 0 ? run : -1, outcome.toString());
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(RUNS);
    assertNotEquals(0L, pool.servedLast());
  }
}
