// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import dotty.tools.dotc.Main;
import dotty.tools.dotc.reporting.Reporter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The compiler of Scala 3 on a tree of sources. Arguments: times, folder of sources, folder for
 * classes, class path.
 */
public class Dotty {
  public static void main(String[] args) throws Exception {
    List<String> line = new ArrayList<>();
    line.addAll(
        List.of("-source", "3.0-migration", "-nowarn", "-d", args[3], "-classpath", args[4]));
    try (Stream<Path> files = Files.walk(Path.of(args[2]))) {
      files.map(Path::toString).filter(p -> p.endsWith(".scala")).sorted().forEach(line::add);
    }
    String[] arguments = line.toArray(String[]::new);
    Steady.run(
        args,
        () -> {
          Reporter reporter = Main.process(arguments);
          if (reporter.errorCount() > 0) {
            throw new AssertionError("the sources do not compile");
          }
          return arguments.length;
        });
  }
}
