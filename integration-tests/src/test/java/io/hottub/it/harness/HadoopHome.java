// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Hadoop's command line as a distribution has it, for a cluster whose daemons run. Its {@code
 * hadoop-env.sh} sets {@code JAVA_HOME} to the stock JDK.
 */
public final class HadoopHome {
  /** Of all commands; newer versions of Hadoop add such options by themselves. */
  public static final String OPTIONS =
      "-Xmx256m -XX:+IgnoreUnrecognizedVMOptions --add-opens=java.base/java.lang=ALL-UNNAMED";

  private final Pool pool;
  private final Path dir;
  private final Path user;
  private final Path hottub;

  /** Installs it, without HotTub. */
  public HadoopHome(YarnNode node, Pool pool) throws Exception {
    this.pool = pool;
    dir = node.dir().resolve("hadoop");
    user = Files.createDirectory(node.dir().resolve("user"));
    hottub = Files.createDirectory(node.dir().resolve("hottub"));
    Process layout =
        new ProcessBuilder(
                Programs.program("hadoop-layout").toString(),
                dir.toString(),
                Home.STOCK_JAVA.getParent().getParent().toAbsolutePath().toString(),
                SparkHome.fetch("native").toString(),
                SparkHome.fetch("hadoop").toString(),
                SparkHome.fetch("mapreduce").toString())
            .inheritIO()
            .start();
    assertEquals(0, layout.waitFor(), "Hadoop is installed");
    for (String file : List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml")) {
      Files.createSymbolicLink(conf().resolve(file), node.dir().resolve("conf").resolve(file));
    }
    // As much of the tarball as this needs.
    Path profile = Files.createDirectory(hottub.resolve("conf")).resolve(profile().getFileName());
    Files.copy(profile(), profile);
    Files.createSymbolicLink(hottub.resolve("home"), Home.path());
  }

  private static Path profile() {
    return Tarball.DEPLOY.resolve("dist/conf/hadoop-profile-hottub.sh");
  }

  /** What puts commands on HotTub. */
  private String line() {
    return ". " + hottub.resolve("conf").resolve(profile().getFileName()) + "\n";
  }

  /** Where it is. */
  public Path dir() {
    return dir;
  }

  /** The configuration, which also is the first entry of the class path. */
  public Path conf() {
    return dir.resolve("etc/hadoop");
  }

  /** For all users. */
  public void installHotTub() throws IOException {
    Files.writeString(
        Files.createDirectories(conf().resolve("shellprofile.d")).resolve("hottub.sh"), line());
  }

  public void removeHotTub() throws IOException {
    Files.deleteIfExists(conf().resolve("shellprofile.d/hottub.sh"));
  }

  /** The recipe of the tarball, with the lines changed that it says have to fit. */
  public String recipe() throws IOException {
    return Files.readString(Tarball.DEPLOY.resolve("dist/conf/recipes/hdfs-ls.properties"))
        .replace("user = hive", "")
        .replace("options = ", "options = " + OPTIONS + " ")
        .replace("/opt/hadoop/", dir + "/");
  }

  /** For the user who runs the commands. */
  public void installHotTubForTheUser() throws IOException {
    Files.writeString(user.resolve(".hadooprc"), line());
  }

  /** Runs a command, as "hdfs dfs -ls /", to its end, and waits for the reset after it. */
  public Outcome run(String command) throws Exception {
    Outcome outcome = pool.start(builder(command)).await();
    pool.awaitIdle();
    return outcome;
  }

  /** What runs a command. */
  public ProcessBuilder builder(String command) {
    List<String> words = List.of(command.split(" "));
    ProcessBuilder builder =
        pool.builder(
            Pool.command(dir.resolve("bin").resolve(words.get(0)), words.subList(1, words.size())));
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.matches("JAVA_HOME|LC_.*|(HADOOP|MALLOC)_.*"));
    builder.environment().put("HOME", user.toString());
    builder.environment().put("LANG", "C.UTF-8");
    builder.environment().put("HADOOP_CLIENT_OPTS", OPTIONS);
    return builder;
  }
}
