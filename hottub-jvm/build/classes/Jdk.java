// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import jdk.internal.org.objectweb.asm.ClassReader;
import jdk.internal.org.objectweb.asm.tree.ClassNode;

/** All classes of the modules of this JDK, by the names that the VM has for them. */
final class Jdk {
  private final Map<String, Path> files = new HashMap<>();
  private final Map<String, ClassNode> classes = new TreeMap<>();
  private final Map<String, Set<String>> subclasses = new HashMap<>();
  private final Map<String, ClassNode> withCode = new HashMap<>();

  private Jdk() {}

  static Jdk read() throws IOException {
    Jdk jdk = new Jdk();
    Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
    try (Stream<Path> files = Files.walk(modules)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
        jdk.add(file, parse(file, ClassReader.SKIP_CODE));
      }
    }
    return jdk;
  }

  private static ClassNode parse(Path file, int options) throws IOException {
    ClassNode node = new ClassNode();
    new ClassReader(Files.readAllBytes(file)).accept(node, options | ClassReader.SKIP_DEBUG);
    return node;
  }

  private void add(Path file, ClassNode node) {
    if (node.module == null) {
      files.put(node.name, file);
      classes.put(node.name, node);
      note(node.superName, node.name);
      node.interfaces.forEach(name -> note(name, node.name));
    }
  }

  private void note(String of, String name) {
    subclasses.computeIfAbsent(of, any -> new HashSet<>()).add(name);
  }

  /** Without the code of methods. */
  Map<String, ClassNode> classes() {
    return classes;
  }

  /** Those that name it as superclass or interface. */
  Set<String> subclassesOf(String name) {
    return subclasses.getOrDefault(name, Set.of());
  }

  ClassNode withCode(String name) {
    return withCode.computeIfAbsent(
        name,
        any -> {
          try {
            return parse(files.get(name), 0);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /** The classes of the package of a class, with code. */
  List<ClassNode> packageOf(String name) {
    String start = name.substring(0, name.lastIndexOf('/') + 1);
    return classes.keySet().stream()
        .filter(other -> other.startsWith(start) && other.indexOf('/', start.length()) < 0)
        .map(this::withCode)
        .toList();
  }
}
