// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.util.VersionInfo;

/**
 * Spark as the quickstart has it, with HotTub installed as the tarball's instructions say: our jar
 * beside Spark's, and one line in {@code spark-env.sh}. Submits applications of the program {@code
 * SparkJob}.
 */
public final class SparkHome {
  private static final String LOOPBACK = "127.0.0.1";
  private static final String IPV4 = "-Djava.net.preferIPv4Stack=true";

  private final Path dir;
  private final Path job;
  private final YarnNode node;
  private final Pool pool;
  private final Map<String, String> environment;
  private final List<SparkRun> runs = new ArrayList<>();

  /**
   * Installs Spark.
   *
   * @param node where applications run; its daemons have to be started before one is submitted
   * @param version as the script that fetches Spark wants it: "3" and "4" are the newest of these
   */
  public SparkHome(YarnNode node, Pool pool, String version) throws Exception {
    this(node, pool, version, install(node), Map.of());
    Files.createSymbolicLink(dir.resolve("jars/spark-plugin.jar"), Daemon.jar("spark-plugin"));
  }

  /**
   * Installs Spark without our jar beside its own.
   *
   * @param hottub where HotTub is installed
   * @param environment of those who submit applications; has our jar on the class path
   */
  public SparkHome(
      YarnNode node, Pool pool, String version, Path hottub, Map<String, String> environment)
      throws Exception {
    this.node = node;
    this.pool = pool;
    this.environment = environment;
    this.dir = Files.createDirectory(node.dir().resolve("spark"));
    Path fetched = fetch("spark", version);
    Files.createSymbolicLink(dir.resolve("bin"), fetched.resolve("bin"));
    Files.createSymbolicLink(dir.resolve("python"), fetched.resolve("python"));
    Path jars = Files.createDirectory(dir.resolve("jars"));
    StringBuilder libraries = new StringBuilder();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(fetched.resolve("jars"), "*.jar")) {
      for (Path jar : files) {
        Files.createSymbolicLink(jars.resolve(jar.getFileName()), jar);
        libraries.append(File.pathSeparator).append(jar);
      }
    }
    configure(jars, hottub);
    job = compileJob(libraries.toString());
  }

  /** A folder of what the quickstart's script fetches. */
  public static Path fetch(String what) throws IOException, InterruptedException {
    return fetch(what, "3");
  }

  /** The same of Spark of a version, as that script wants it. */
  public static Path fetch(String what, String version) throws IOException, InterruptedException {
    return fetch(what, Map.of("SPARK_VERSION", version));
  }

  /** The same of jars that belong to the Hadoop of the daemons. */
  public static Path fetchOfThisHadoop(String what) throws IOException, InterruptedException {
    return fetch(what, Map.of("HADOOP_VERSION", VersionInfo.getVersion()));
  }

  private static Path fetch(String what, Map<String, String> versions)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(Tarball.DEPLOY.resolve("quickstart/fetch").toString(), what)
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().putAll(versions);
    Process fetch = builder.start();
    String folder = new String(fetch.getInputStream().readAllBytes(), UTF_8).strip();
    assertEquals(0, fetch.waitFor(), what + " is fetched");
    return Path.of(folder);
  }

  /** As much of the tarball as Spark needs. */
  private static Path install(YarnNode node) throws IOException {
    Path hottub = Files.createDirectory(node.dir().resolve("hottub"));
    Path script = Files.createDirectory(hottub.resolve("conf")).resolve("spark-env-hottub.sh");
    Files.copy(Tarball.DEPLOY.resolve("dist/conf/spark-env-hottub.sh"), script);
    Files.createSymbolicLink(hottub.resolve("home"), Home.path());
    return hottub;
  }

  private void configure(Path jars, Path hottub) throws IOException {
    Path conf = Files.createDirectory(dir.resolve("conf"));
    Files.writeString(
        conf.resolve("spark-env.sh"), ". " + hottub.resolve("conf/spark-env-hottub.sh") + "\n");
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("spark.master", "yarn");
    settings.put("spark.driver.memory", "512m");
    settings.put("spark.driver.host", LOOPBACK);
    settings.put("spark.driver.bindAddress", LOOPBACK);
    settings.put("spark.driver.extraJavaOptions", IPV4);
    settings.put("spark.executor.instances", "2");
    settings.put("spark.executor.cores", "1");
    settings.put("spark.executor.memory", "512m");
    settings.put("spark.executor.memoryOverhead", "128m");
    settings.put("spark.scheduler.minRegisteredResourcesRatio", "1");
    settings.put("spark.yarn.am.memory", "512m");
    settings.put("spark.yarn.maxAppAttempts", "1");
    // The nodes have Spark: nothing is copied, and the class path is that of every application.
    settings.put("spark.yarn.jars", "local:" + jars + "/*");
    settings.put("spark.yarn.stagingDir", node.dir().resolve("staging").toUri().toString());
    settings.put("spark.plugins", "io.hottub.spark.HotTubSparkPlugin");
    settings.put("spark.ui.enabled", "false");
    for (String variable : List.of("spark.executorEnv.", "spark.yarn.appMasterEnv.")) {
      settings.put(variable + "SPARK_LOCAL_IP", LOOPBACK);
      settings.put(variable + "HOTTUB_TRACE", pool.trace().toString());
    }
    List<String> lines = new ArrayList<>();
    settings.forEach((name, value) -> lines.add(name + " " + value));
    Files.write(conf.resolve("spark-defaults.conf"), lines);
  }

  /** Changes a setting of all applications that are submitted after it. */
  public void set(String name, String value) throws IOException {
    append("spark-defaults.conf", name + " " + value);
  }

  /** Gives an option to all JVMs of applications that are submitted after it. */
  public void jvmOption(String option) throws IOException {
    set("spark.driver.extraJavaOptions", IPV4 + " " + option);
    set("spark.executor.extraJavaOptions", option);
    set("spark.yarn.am.extraJavaOptions", option);
    append("spark-env.sh", "export SPARK_SUBMIT_OPTS=" + option);
  }

  private void append(String file, String line) throws IOException {
    Path path = dir.resolve("conf").resolve(file);
    Files.writeString(path, line + "\n", StandardOpenOption.APPEND);
  }

  private Path compileJob(String libraries) throws IOException {
    Path classes =
        Programs.compileWith(libraries, dir.resolve("classes"), "SparkJob", "SparkLibraries");
    return Programs.jar(dir.resolve("job.jar"), classes);
  }

  /**
   * Runs {@code spark-submit}.
   *
   * @param settings further settings, {@code name=value}
   * @param arguments of the program {@code SparkJob}
   */
  public SparkRun submit(boolean pooled, String mode, List<String> settings, String... arguments)
      throws IOException {
    List<String> options = new ArrayList<>(List.of("--deploy-mode", mode, "--class", "SparkJob"));
    settings.forEach(setting -> options.addAll(List.of("--conf", setting)));
    return submit(pooled, options, job, arguments);
  }

  /** The same with another program of the job's jar, in client mode. */
  public SparkRun submitMain(
      boolean pooled, String main, List<String> settings, String... arguments) throws IOException {
    List<String> options = new ArrayList<>(List.of("--class", main));
    settings.forEach(setting -> options.addAll(List.of("--conf", setting)));
    return submit(pooled, options, job, arguments);
  }

  /** The same with a program in Python, in client mode. */
  public SparkRun submitPython(boolean pooled, Path program, String... arguments)
      throws IOException {
    return submit(pooled, List.of(), program, arguments);
  }

  /** Runs a line of bash in Spark's folder, on stock JVMs unless it asks for others. */
  public SparkRun runLine(String line) throws IOException {
    return start(System.getProperty("java.home"), List.of("bash", "-c", line));
  }

  /** The same with a server of Spark's own, which runs until somebody ends it. */
  public SparkRun submitServer(boolean pooled, String main, List<String> settings)
      throws IOException {
    List<String> options = new ArrayList<>(List.of("--class", main));
    settings.forEach(setting -> options.addAll(List.of("--conf", setting)));
    return submit(pooled, options, Path.of("spark-internal"));
  }

  /** Runs a program of Spark that knows no settings; what it writes is the log. */
  public SparkRun runProgram(boolean pooled, String name, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(dir.resolve("bin").resolve(name).toString()));
    command.addAll(List.of(arguments));
    return start(pooled ? Home.path().toString() : System.getProperty("java.home"), command);
  }

  private SparkRun submit(
      boolean pooled, List<String> options, Path application, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(dir.resolve("bin/spark-submit").toString());
    command.addAll(List.of("--conf", "spark.hottub.enabled=" + pooled));
    command.addAll(options);
    command.add(application.toString());
    command.addAll(List.of(arguments));
    return start(System.getProperty("java.home"), command);
  }

  private SparkRun start(String javaHome, List<String> command) throws IOException {
    ProcessBuilder builder = pool.builder(command).directory(dir.toFile());
    builder.environment().putAll(environment);
    builder.environment().put("JAVA_HOME", javaHome);
    builder.environment().put("SPARK_HOME", dir.toString());
    builder.environment().put("SPARK_LOCAL_IP", LOOPBACK);
    builder.environment().put("HADOOP_CONF_DIR", node.dir().resolve("conf").toString());
    Path log = node.dir().resolve("spark-submit-" + (runs.size() + 1) + ".log");
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    SparkRun run = new SparkRun(builder.start(), log);
    runs.add(run);
    return run;
  }

  /** Where it is installed. */
  public Path path() {
    return dir;
  }

  /** A history server that has our jar beside Spark's. */
  public SparkHistory history(Path events) throws IOException {
    return new SparkHistory(dir, events);
  }

  /** Ends what a test that has failed left running. */
  public void killAll() {
    runs.forEach(SparkRun::kill);
  }
}
