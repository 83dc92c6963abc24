// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.benchmark;

import io.hottub.it.benchmark.JvmTable.Row;
import io.hottub.it.benchmark.JvmTable.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Makes the page and the chart of what a developer starts: tools of the JDK, and Maven. */
public final class ToolsTable {
  static final List<Workload> WORKLOADS =
      List.of(
          new Workload("javac", "bin/javac of a small file", 0, 0, 0),
          new Workload("javac-java", "the same as java -m", 0, 0, 0),
          new Workload("jar", "bin/jar of a class", 0, 0, 0),
          new Workload("javap", "bin/javap of a class", 0, 0, 0),
          new Workload("javadoc", "bin/javadoc of a class", 0, 0, 0),
          new Workload("kotlinc", "Kotlin compiler, one file", 0, 0, 0),
          new Workload("scalac", "Scala 2.13 compiler, one file", 0, 0, 0),
          new Workload("mvn", "mvn package of this project", 2, 1.5, 0));

  private ToolsTable() {}

  public static void main(String[] args) throws IOException {
    List<Row> rows = JvmTable.read(Path.of(args[0]), WORKLOADS);
    Path svg = Path.of(args[2]);
    String title = "Tools of the JDK, compilers and Maven: HotTub against the stock JDK";
    Files.writeString(svg, JvmTable.svg(rows, title, args[3]));
    String table = JvmTable.markdown(rows);
    System.out.print(table);
    Files.writeString(
        Path.of(args[1]),
        """
# Tools of the JDK, compilers and Maven

![wall and CPU time](%s)

%s
Medians, with quartiles in brackets, of pairs after %s warm-up runs, with Maven after %s. Within a pair the side \
that goes first changes. All results were equal. Made by `integration-tests/benchmarks/tools`.

- Wall time is that of the command. CPU time has reset, audit and background compilation in it, as in \
[jvm.md](jvm.md).
- `mvn package` is `mvn -o -B -q package -DskipTests -Dhottub.jvm.skip=true` with JAVA_HOME, of the Java modules of \
this repository as they are committed, without their `target` folders. Compilation with ErrorProne is part of it, \
tests and the JVM are not. The jars of all builds are equal byte for byte: the build fixes the times in them.
- Result of the other rows: what they print, and all files that they make.

[Every run](%s): workload, side, pair (0: warm-up), wall time and CPU time in microseconds, digest of the result.

- Machine: %s; load before the end %s.
- Versions: %s.
"""
            .formatted(
                svg.getFileName(),
                table,
                args[5],
                args[6],
                svg.getFileName().toString().replace(".svg", ".tsv"),
                args[3],
                args[7],
                args[4]));
  }
}
