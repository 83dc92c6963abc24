// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The compiler of the JDK on a tree of sources. Arguments: times, folder of sources, folder for
 * classes, class path.
 */
public class Javac {
  public static void main(String[] args) throws Exception {
    List<File> sources;
    try (Stream<Path> files = Files.walk(Path.of(args[2]))) {
      sources =
          files
              .filter(p -> p.toString().endsWith(".java"))
              .sorted()
              .map(Path::toFile)
              .collect(Collectors.toList());
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<String> options =
        Arrays.asList("-nowarn", "-proc:none", "-implicit:none", "-d", args[3], "-cp", args[4]);
    Steady.run(
        args,
        () -> {
          try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            Iterable<? extends JavaFileObject> units = files.getJavaFileObjectsFromFiles(sources);
            if (!compiler.getTask(null, files, null, options, null, units).call()) {
              throw new AssertionError("the sources do not compile");
            }
            return sources.size();
          }
        });
  }
}
