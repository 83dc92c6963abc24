// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.cli;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The recipe for JVMs that a running process could have: what of its command line and environment
 * is part of the fingerprint. The pool service's documentation describes recipes.
 */
final class RecipeFor {
  private static final Pattern CLASS_PATH = Pattern.compile("-cp|-classpath|--class-path");
  private static final Pattern HAS_VALUE =
      Pattern.compile(
          "-p|--(module-path|upgrade-module-path|limit-modules|patch-module|enable-native-access"
              + "|add-(modules|opens|exports|reads))");
  private static final Pattern NO_MAIN_CLASS = Pattern.compile("-jar|-m|--module(=.*)?|@.*");

  /** Properties that the JDK reads. Others never decide, and may be secret. */
  private static final Pattern PROPERTY =
      Pattern.compile("-D(java|jdk|sun|os|file|user|native|line|path)[.].*", Pattern.DOTALL);

  private static final Pattern VARIABLE =
      Pattern.compile(
          "LANG|LANGUAGE|LOCPATH|LC_.*|LD_.*|MALLOC_.*|LOCALDOMAIN|RES_OPTIONS|RESOLV_.*|GCONV_PATH"
              + "|MSGVERB|SEV_LEVEL|OUTPUT_CHARSET|POSIXLY_CORRECT|TZDIR|J2D_.*|GDK_SCALE|IMLIB_.*"
              + "|FREETYPE_PROPERTIES|HB_.*|ALSA_.*|HOTTUB_ISOLATION");

  private final List<String> command;
  private final Path cwd;
  private final Map<String, String> environment;
  private final List<String> options = new ArrayList<>();
  private String classPath;
  private String mainClass;

  /**
   * @param command words of the command line, the program first
   * @param cwd working directory, without symbolic links
   * @throws IOException if there can be no recipe; the message says why
   */
  RecipeFor(List<String> command, Path cwd, Map<String, String> environment) throws IOException {
    this.command = command;
    this.cwd = cwd;
    this.environment = new TreeMap<>(environment);
    classPath = environment.getOrDefault("CLASSPATH", ".");
    parse();
  }

  /**
   * Reads what the system knows of a process, which has to be the caller's.
   *
   * @throws IOException if it cannot, or if there can be no recipe; the message says why
   */
  static RecipeFor process(String pid) throws IOException {
    Path process = Path.of("/proc").resolve(pid);
    if (!pid.matches("[1-9][0-9]{0,9}") || !Files.isDirectory(process)) {
      throw new IOException(pid + " is no process");
    }
    Map<String, String> environment = new TreeMap<>();
    for (String variable : words(process.resolve("environ"))) {
      int at = variable.indexOf('=');
      if (at > 0) {
        environment.put(variable.substring(0, at), variable.substring(at + 1));
      }
    }
    Path cwd = Files.readSymbolicLink(process.resolve("cwd"));
    return new RecipeFor(words(process.resolve("cmdline")), cwd, environment);
  }

  private static List<String> words(Path file) throws IOException {
    try {
      // Each word ends with a NUL, so what is behind the last one is none.
      List<String> words = List.of(Files.readString(file).split("\0", -1));
      return words.subList(0, words.size() - 1);
    } catch (IOException e) {
      throw new IOException("cannot read " + file + ": is it a process of yours?", e);
    }
  }

  private void parse() throws IOException {
    int at = 1;
    while (at < command.size() && mainClass == null) {
      String word = command.get(at++);
      boolean hasNext = at < command.size();
      if (NO_MAIN_CLASS.matcher(word).matches()) {
        throw new IOException("recipes are for runs with a main class, this one has " + word);
      } else if (CLASS_PATH.matcher(word).matches() && hasNext) {
        classPath = command.get(at++);
      } else if (word.startsWith("--class-path=")) {
        classPath = word.substring(word.indexOf('=') + 1);
      } else if (HAS_VALUE.matcher(word).matches() && hasNext) {
        options.add(word);
        options.add(command.get(at++));
      } else if (!word.startsWith("-")) {
        mainClass = word;
      } else if (!word.startsWith("-D") || PROPERTY.matcher(word).matches()) {
        options.add(word);
      }
    }
    if (mainClass == null || !command.get(0).endsWith("java")) {
      throw new IOException("this process is no run of java with a main class");
    }
  }

  /**
   * The text of the recipe.
   *
   * @param trainer main class of its runs
   * @param arguments of that
   * @throws IOException if something cannot be said in a recipe
   */
  String text(String trainer, List<String> arguments) throws IOException {
    StringBuilder text = new StringBuilder();
    text.append("# For JVMs of ").append(mainClass).append(".\n");
    String user = environment.getOrDefault("HOTTUB_TENANT", "");
    if (!user.isEmpty()) {
      line(text, "user", user);
    }
    line(text, "options", quoted(options));
    line(text, "class-path", permanentClassPath());
    line(text, "main-class", trainer);
    if (!arguments.isEmpty()) {
      line(text, "arguments", quoted(arguments));
    }
    for (Map.Entry<String, String> variable : environment.entrySet()) {
      if (VARIABLE.matcher(variable.getKey()).matches()) {
        line(text, "environment." + variable.getKey(), here(variable.getValue()));
      }
    }
    return text.toString();
  }

  private static void line(StringBuilder text, String key, String value) throws IOException {
    if (value.contains("\n")) {
      throw new IOException("a recipe cannot have a line break, as here in " + key);
    }
    text.append(key).append(" = ").append(value.replace("\\", "\\\\")).append('\n');
  }

  private String quoted(List<String> words) throws IOException {
    List<String> quoted = new ArrayList<>();
    for (String word : words) {
      if (word.contains("\"")) {
        throw new IOException(
            "a recipe cannot have a double quote, as here in " + word.split("=", 2)[0]);
      }
      boolean plain = word.matches("\\S+");
      quoted.add(plain ? here(word) : '"' + here(word) + '"');
    }
    return String.join(" ", quoted);
  }

  /** A recipe has a working directory of its own. */
  private String here(String text) {
    return without(cwd.toString(), without(environment.getOrDefault("PWD", ""), text));
  }

  /** Whole names only; a path below the root says nothing about the working directory. */
  private static String without(String folder, String text) {
    boolean tells = folder.startsWith("/") && folder.length() > 1;
    return tells ? text.replaceAll(Pattern.quote(folder) + "(?=[/:,;]|$)", ".") : text;
  }

  private String permanentClassPath() throws IOException {
    List<String> entries = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator, -1)) {
      boolean wildcard = entry.equals("*") || entry.endsWith("/*");
      String folder = wildcard ? entry.substring(0, entry.length() - 1) : entry;
      List<String> jars = wildcard && isInside(folder) ? jarsIn(cwd.resolve(folder)) : List.of();
      for (String jar : jars) {
        entries.add(permanent(folder + jar));
      }
      if (jars.isEmpty()) {
        entries.add(permanent(entry));
      }
    }
    return String.join(File.pathSeparator, entries);
  }

  private boolean isInside(String entry) {
    return entry.isEmpty() || here(cwd.resolve(entry).toString()).startsWith(".");
  }

  /**
   * In the order in which a wildcard stands for them. That is part of the fingerprint, and another
   * folder with the same jars may have another.
   */
  private static List<String> jarsIn(Path folder) throws IOException {
    List<String> jars = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.{jar,JAR}")) {
        files.forEach(file -> jars.add(file.getFileName().toString()));
      }
    }
    return jars;
  }

  /**
   * What leads to the same content when the working directory is another. That only has links to
   * jars, and folders with settings, which are no part of the fingerprint.
   */
  private String permanent(String entry) throws IOException {
    Path path = cwd.resolve(entry);
    if (!isInside(entry)) {
      return entry;
    } else if (Files.isDirectory(path)) {
      return ".";
    } else if (Files.exists(path)) {
      return path.toRealPath().toString();
    }
    return here(path.toString());
  }
}
