// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.campaign;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Random programs that run in one process, one after the other, and how that process ends. */
record RandomGroup(List<RandomProgram> programs, String end) {
  /** How all groups end, in turn. */
  static final List<String> ENDS = List.of("return", "exit", "uncaught", "hook", "thread", "halt");

  private static final String SECTION = "== ";

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String name, String text) {
      super(URI.create("string:///" + name.replace('.', '/') + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  /** Arguments of java for all programs, in this order or the other way round. */
  List<String> arguments(Path classes, int variant) {
    List<String> seeds =
        new ArrayList<>(programs.stream().map(p -> Long.toString(p.seed())).toList());
    if (variant % 2 == 1) {
      java.util.Collections.reverse(seeds);
    }
    List<String> all = new ArrayList<>(List.of("-Dvariant=" + variant, "-cp", classes.toString()));
    all.addAll(List.of("shared.All", end));
    all.addAll(seeds);
    return all;
  }

  private String main() {
    String calls =
        programs.stream()
            .map(p -> "case \"%d\": %s.Main.run(); break;\n".formatted(p.seed(), p.packageName()))
            .collect(Collectors.joining());
    return """
           package shared;
           public class All {
             static void daemon() {
               Thread busy = new Thread(() -> { for (long i = 0; ; i++) if (i < 0) return; });
               busy.setDaemon(true);
               busy.start();
             }
             static void hook(String text) {
               Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println(text)));
             }
             static void end(String how) {
               switch (how) {
                 case "exit": daemon(); System.exit(3);
                 case "uncaught": throw new IllegalStateException("the end");
                 case "hook": hook("hook"); daemon(); break;
                 case "thread": new Thread(() -> { hook("last"); System.exit(4); }).start(); break;
                 case "halt": hook("WRONG"); Runtime.getRuntime().halt(5);
                 default:
               }
             }
             public static void main(String[] args) {
               for (int i = 1; i < args.length; i++) {
                 System.out.println("%s" + args[i]);
                 switch (args[i]) {
                 %s}
               }
               System.out.println("%send");
               end(args[0]);
             }
           }
           """
        .formatted(SECTION, calls, SECTION);
  }

  /** Into a folder of classes. */
  void compile(Path classes) throws IOException {
    List<JavaFileObject> sources = new ArrayList<>();
    sources.add(new Source("shared.Out", RandomProgram.shared()));
    sources.add(new Source("shared.All", main()));
    for (RandomProgram program : programs) {
      sources.add(new Source(program.packageName() + ".Main", program.source()));
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    List<String> options =
        List.of("-nowarn", "-proc:none", "-d", Files.createDirectories(classes).toString());
    if (!compiler.getTask(messages, null, null, options, null, sources).call()) {
      throw new IllegalStateException("random programs do not compile:\n" + messages);
    }
    // The client trusts no digest of a file that is younger than 2 s.
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.toList()) {
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000_000));
      }
    }
  }

  /** What each program has written, by its seed; the last part is the end of the process. */
  static Map<String, String> sections(String out) {
    Map<String, String> sections = new LinkedHashMap<>();
    for (String section : ("\n" + out).split("\n" + SECTION, -1)) {
      int line = section.indexOf('\n');
      sections.put(line < 0 ? section : section.substring(0, line), section);
    }
    return sections;
  }
}
