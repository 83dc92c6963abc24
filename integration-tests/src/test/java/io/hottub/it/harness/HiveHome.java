// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * Hive on Tez as an operator sets it up: HiveServer2, Tez's archive on HDFS. Its jars are those
 * that the quickstart's script fetches. The cluster has to run.
 */
public final class HiveHome {
  static final Duration LONGEST = Duration.ofMinutes(5);

  /** Its main class. */
  public static final String SERVER = "org.apache.hive.service.server.HiveServer2";

  /** That of the shell that asks it. */
  public static final String BEELINE = "org.apache.hive.beeline.BeeLine";

  /** And of the one that needs no server. */
  public static final String COMMAND_LINE = "org.apache.hadoop.hive.cli.CliDriver";

  private static final String IPV4 = "-Djava.net.preferIPv4Stack=true";

  private final YarnNode node;
  private final Pool pool;
  private final Path dir;
  private final HiveJars jars = new HiveJars();
  private final Configuration hive = new Configuration(false);
  private final int port = Ports.free(1).get(0);
  private Process server;
  private Path serverLog;

  /** Writes the configuration, and puts what containers need on HDFS. */
  HiveHome(YarnNode node, Pool pool) throws Exception {
    this.node = node;
    this.pool = pool;
    this.dir = Files.createDirectories(node.dir().resolve("hive/conf")).getParent();
    configureHive();
    configureTez();
    Files.writeString(
        dir.resolve("conf/hive-log4j2.properties"),
        """
        rootLogger.level = info
        rootLogger.appenderRef.stderr.ref = stderr
        appender.stderr.type = Console
        appender.stderr.name = stderr
        appender.stderr.target = SYSTEM_ERR
        appender.stderr.layout.type = PatternLayout
        appender.stderr.layout.pattern = %d{HH:mm:ss.SSS} %p %c{1}: %m%n
        """);
    Path archive = archive();
    try (FileSystem fs = FileSystem.newInstance(node.conf())) {
      var apps = new org.apache.hadoop.fs.Path("/apps");
      fs.mkdirs(apps);
      fs.copyFromLocalFile(new org.apache.hadoop.fs.Path(archive.toUri()), apps);
    }
    Files.delete(archive);
  }

  private void configureHive() throws IOException {
    hive.set("hive.execution.engine", "tez");
    hive.set("hive.execution.mode", "container");
    hive.set("hive.llap.execution.mode", "none");
    hive.set("datanucleus.schema.autoCreateAll", "true");
    hive.set(
        "javax.jdo.option.ConnectionURL",
        "jdbc:derby:;databaseName=" + node.dir().resolve("metastore") + ";create=true");
    hive.set("hive.metastore.schema.verification", "false");
    // The tables of transactions are not among those that are made automatically.
    hive.set("hive.support.concurrency", "false");
    hive.set("hive.txn.manager", "org.apache.hadoop.hive.ql.lockmgr.DummyTxnManager");
    hive.set("hive.metastore.warehouse.dir", "/warehouse");
    hive.set("hive.metastore.warehouse.external.dir", "/external");
    hive.set("hive.exec.scratchdir", "/tmp/hive");
    hive.set("hive.user.install.directory", "/user/hive");
    hive.set("hive.exec.local.scratchdir", dir.resolve("scratch").toString());
    hive.set("hive.downloaded.resources.dir", dir.resolve("resources").toString());
    hive.set("hive.querylog.location", dir.resolve("queries").toString());
    hive.set("hive.server2.logging.operation.log.location", dir.resolve("operations").toString());
    hive.set("hive.server2.thrift.bind.host", "127.0.0.1");
    hive.set("hive.server2.thrift.port", Integer.toString(port));
    hive.set("hive.server2.webui.port", "0");
    hive.set("hive.server2.enable.doAs", "false");
    hive.set("hive.server2.materializedviews.registry.impl", "DUMMY");
    hive.set("hive.server2.tez.initialize.default.sessions", "false");
    hive.set("hive.scheduled.queries.executor.enabled", "false");
    // Nor is the one of statistics of partitions.
    hive.set("hive.stats.column.autogather", "false");
    // Every query has to run.
    hive.set("hive.query.results.cache.enabled", "false");
    hive.set("hive.compute.query.using.stats", "false");
    hive.set("hive.exec.dynamic.partition.mode", "nonstrict");
    // In the server's log: what each phase of a query took.
    hive.set("hive.tez.exec.print.summary", "true");
    hive.set("hive.tez.container.size", "512");
    hive.set("hive.tez.java.opts", "-Xmx384m " + IPV4 + " " + HiveJars.OPENS);
    writeHive();
  }

  private void configureTez() throws IOException {
    Configuration site = new Configuration(false);
    site.set("tez.lib.uris", node.conf().get("fs.defaultFS") + "/apps/tez.zip");
    site.setInt("tez.am.resource.memory.mb", 512);
    site.set("tez.am.launch.cmd-opts", "-Xmx384m " + IPV4 + " " + HiveJars.OPENS);
    site.set("tez.am.tez-ui.webservice.enable", "false");
    site.setInt("tez.am.task.max.failed.attempts", 1);
    // For clients that ask for its state after its end: 5 s in each session, otherwise.
    site.setInt("tez.am.sleep.time.before.exit.millis", 500);
    write(site, dir.resolve("conf/tez-site.xml"));
  }

  static void write(Configuration site, Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      site.writeXml(out);
    }
  }

  private void writeHive() throws IOException {
    write(hive, dir.resolve("conf/hive-site.xml"));
  }

  /** Changes a setting for servers that are started after it. */
  public void set(String name, String value) throws IOException {
    hive.set(name, value);
    writeHive();
  }

  /** Its own folder. */
  Path dir() {
    return dir;
  }

  /** Tez and the Hadoop client, and what Hive's tasks need that the two no longer have. */
  private Path archive() throws IOException {
    Path archive = dir.resolve("tez.zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
      zip.setMethod(ZipOutputStream.STORED);
      for (Path jar : jars.ofContainers()) {
        byte[] bytes = Files.readAllBytes(jar);
        CRC32 sum = new CRC32();
        sum.update(bytes);
        ZipEntry entry = new ZipEntry(jar.getFileName().toString());
        entry.setSize(bytes.length);
        entry.setCrc(sum.getValue());
        zip.putNextEntry(entry);
        zip.write(bytes);
      }
    }
    return archive;
  }

  /**
   * A recipe that names what YARN's cache has of Tez and Hive where it stays, as an operator does
   * it.
   */
  String permanentRecipe(String recipe) {
    try {
      Path unpacked = Files.createDirectories(dir.resolve("tez"));
      for (Path jar : jars.ofContainers()) {
        Path copy = unpacked.resolve(jar.getFileName());
        if (!Files.exists(copy)) {
          Files.copy(jar, copy);
        }
      }
      return recipe
          .replaceAll("[^:= ]*/filecache/[0-9]+/tez[.]zip/", unpacked + "/")
          .replaceAll("[^:= ]*/filecache/[0-9]+/hive-exec-[^:= ]*[.]jar", jars.exec().toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Compiles a program of the tests with Hive's libraries. */
  Path compile(String name) throws IOException {
    return jars.compile(dir.resolve(name), name);
  }

  /** The same as a jar. */
  Path compileJar(String name) throws IOException {
    return Programs.jar(dir.resolve(name + ".jar"), compile(name));
  }

  /**
   * A run of a class with Hive's configuration and libraries, and Hadoop's native one.
   *
   * @param classes more of the class path; may be empty
   */
  ProcessBuilder builder(Path java, List<Path> classes, List<String> classAndArguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(java.toString(), "-Xmx512m", IPV4));
    command.add("-Djava.library.path=" + Daemon.nativeLibraries());
    command.addAll(List.of(HiveJars.OPENS.split(" ")));
    command.add("-Djava.io.tmpdir=" + node.dir().resolve("java-tmp"));
    // Where shells keep their history.
    command.add("-Duser.home=" + dir);
    command.add("-cp");
    List<String> classPath = new ArrayList<>();
    classPath.add(dir.resolve("conf").toString());
    classPath.add(node.dir().resolve("conf").toString());
    classes.forEach(folder -> classPath.add(folder.toString()));
    classPath.add(jars.classPath());
    command.add(String.join(File.pathSeparator, classPath));
    command.addAll(classAndArguments);
    ProcessBuilder builder = pool.builder(command).directory(dir.toFile());
    builder.environment().put("HADOOP_HOME", dir.toString());
    builder.environment().put("HADOOP_CONF_DIR", node.dir().resolve("conf").toString());
    return builder;
  }

  /** A run of beeline, which asks the server. */
  public ProcessBuilder beeline(Path java, String settings, String sql) throws Exception {
    return builder(
        java,
        List.of(jars.ofBeeline()),
        List.of(BEELINE, "-u", url(settings), "-n", "hive", "--outputformat=csv2", "-e", sql));
  }

  /** A run of the command line that is its own server. */
  public ProcessBuilder commandLine(Path java, String setting, String sql) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(COMMAND_LINE, "-e", sql));
    if (!setting.isEmpty()) {
      arguments.addAll(List.of("-hiveconf", setting));
    }
    return builder(java, List.of(), arguments);
  }

  /** Starts HiveServer2 and waits until it answers. */
  public void startServer(Path java) throws Exception {
    serverLog = node.dir().resolve("HiveServer2.log");
    ProcessBuilder builder =
        builder(java, List.of(), List.of(SERVER))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(serverLog.toFile()))
            .redirectInput(Path.of("/dev/null").toFile());
    server = Servers.start(builder);
    Await.until(
        "HiveServer2 answers",
        LONGEST,
        () -> {
          if (!server.isAlive()) {
            throw new AssertionError(Files.readString(serverLog));
          }
          new Socket(InetAddress.getLoopbackAddress(), port).close();
          return true;
        });
  }

  /** The same instead of the one that runs, if one does. */
  public void restartServer(Path java) throws Exception {
    stopServer();
    startServer(java);
  }

  /** Ends it as an operator does. */
  public void stopServer() throws InterruptedException {
    if (server != null && server.isAlive()) {
      Servers.stop(server);
    }
  }

  /** Processor time that the server has used so far. */
  public long serverCpuMillis() {
    return server.info().totalCpuDuration().map(Duration::toMillis).orElse(0L);
  }

  /** What a JDBC client names; settings of the session are {@code name=value;...}. */
  String url(String settings) {
    return "jdbc:hive2://127.0.0.1:" + port + "/" + (settings.isEmpty() ? "" : "?" + settings);
  }

  /** Runs it to its end. */
  static Outcome await(ProcessBuilder builder, Path out, Path err) throws Exception {
    Process process =
        builder
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .redirectInput(Path.of("/dev/null").toFile())
            .start();
    if (!process.waitFor(LONGEST.toSeconds() * 2, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      throw new AssertionError("no end:\n" + Files.readString(out) + Files.readString(err));
    }
    return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
  }
}
