// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A Hadoop daemon in a process of its own, on the JDK that runs the test. */
public final class Daemon {
  private static Path hadoop;

  private final Process process;

  private Daemon(Process process) {
    this.process = process;
  }

  /**
   * Starts a daemon.
   *
   * @param dir holds the configuration in {@code conf}; gets the log {@code <class name>.log}
   */
  public static Daemon start(Path dir, String mainClass) throws IOException {
    return start(dir, List.of(), mainClass, List.of());
  }

  /** As {@link #start(Path, String)}, with options of the JVM and arguments of the program. */
  public static Daemon start(
      Path dir, List<String> options, String mainClass, List<String> arguments) throws IOException {
    return start(List.of(), dir, options, mainClass, arguments, classPath());
  }

  /**
   * As {@link #start(Path, String)}, by a command that runs the one behind it, with a class path
   * that other users can read, too.
   */
  static Daemon startBy(List<String> command, Path dir, String mainClass) throws IOException {
    Path jars = Files.createDirectory(dir.resolve("jars"));
    List<String> copies = new ArrayList<>();
    for (String jar : classPath().split(File.pathSeparator, -1)) {
      Path copy = jars.resolve(copies.size() + ".jar"); // some have one name
      copies.add(Files.copy(Path.of(jar), copy).toString());
    }
    String others = String.join(File.pathSeparator, copies);
    return start(command, dir, List.of(), mainClass, List.of(), others);
  }

  /**
   * As {@link #start(Path, String)}, with HotTub's jar not on the daemon's own class path.
   *
   * @param more at the end of the class path; may be empty
   */
  static Daemon startWithoutHotTub(Path dir, String mainClass, String more) throws IOException {
    String ours = dropInJar().toString();
    String others =
        Stream.concat(
                Arrays.stream(classPath().split(File.pathSeparator))
                    .filter(entry -> !entry.equals(ours)),
                Stream.of(more))
            .filter(entry -> !entry.isEmpty())
            .collect(Collectors.joining(File.pathSeparator));
    return start(List.of(), dir, List.of(), mainClass, List.of(), others);
  }

  /** As {@link #start(Path, String)}, with more in front of the class path. */
  static Daemon startWith(
      Path more, Path dir, List<String> options, String mainClass, List<String> arguments)
      throws IOException {
    return start(
        List.of(), dir, options, mainClass, arguments, more + File.pathSeparator + classPath());
  }

  /** The folder with the classes of the tests. */
  static Path testClasses() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> entry.endsWith("test-classes"))
        .map(Path::of)
        .findFirst()
        .orElseThrow(() -> new AssertionError("the tests are not on the class path"));
  }

  private static Daemon start(
      List<String> by,
      Path dir,
      List<String> options,
      String mainClass,
      List<String> arguments,
      String classPath)
      throws IOException {
    List<String> command = new ArrayList<>(by);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx384m");
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-Djava.net.preferIPv4Stack=true");
    // What a daemon leaves behind when it is killed goes with the test's folder.
    command.add("-Djava.io.tmpdir=" + Files.createDirectories(dir.resolve("java-tmp")));
    command.add("-Dlog4j.configuration=file:" + dir.resolve("conf/log4j.properties"));
    command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
    // As Hadoop's scripts do; containers of MapReduce and Tez find it by the variable below.
    command.add("-Djava.library.path=" + nativeLibraries());
    command.addAll(options);
    command.add("-cp");
    command.add(dir.resolve("conf") + File.pathSeparator + classPath);
    command.add(mainClass);
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).directory(dir.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("HADOOP_COMMON_HOME", hadoop().toString());
    builder.environment().keySet().removeIf(name -> name.startsWith("HOTTUB"));
    String log = mainClass.substring(mainClass.lastIndexOf('.') + 1) + ".log";
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(dir.resolve(log).toFile()));
    return new Daemon(Servers.start(builder));
  }

  /** Where Hadoop's native library is. */
  public static Path nativeLibraries() throws IOException {
    return hadoop().resolve("lib/native");
  }

  /** Has that library where a distribution has it. It is looked for once. */
  private static synchronized Path hadoop() throws IOException {
    if (hadoop == null) {
      try {
        hadoop = SparkHome.fetch("native");
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("the native library is fetched");
      }
    }
    return hadoop;
  }

  /** That of the test, without what an installation does not have: our jars but the drop-in jar. */
  public static String classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> entry.endsWith(".jar"))
        .filter(entry -> !new File(entry).getName().startsWith("hottub-jvm"))
        .filter(entry -> !entry.contains("junit"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** The jar that an operator puts onto the NodeManager's class path. */
  public static Path dropInJar() {
    return jar("yarn-auxservice");
  }

  /** The jar of one of our modules. */
  static Path jar(String module) {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .filter(entry -> entry.getFileName().toString().matches(module + "-.*[.]jar"))
        .findFirst()
        .orElseThrow(
            () -> new AssertionError("the jar of " + module + " is not on the class path"));
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Waits for the end of a program that is no daemon, and returns its exit status. */
  public int end() throws InterruptedException {
    return process.waitFor();
  }

  /** Ends it as an operator does. */
  public void stop() throws InterruptedException {
    Servers.stop(process);
  }

  /** Ends it as a crash does. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Stops its process until {@link #resume()}, as a node that hangs. */
  public void suspend() throws Exception {
    signal("STOP");
  }

  public void resume() throws Exception {
    signal("CONT");
  }

  private void signal(String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  /** Ends it if it still runs. */
  public void close() throws InterruptedException {
    if (process.isAlive()) {
      stop();
    }
  }
}
