// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.client.api.YarnClient;

/**
 * A ResourceManager and a NodeManager with HotTub installed, each in a process of its own, on
 * loopback and the local file system. Both are started one by one: some tests need only one.
 */
public final class YarnNode {
  private static final String RESOURCE_MANAGER =
      "org.apache.hadoop.yarn.server.resourcemanager.ResourceManager";
  private static final String NODE_MANAGER =
      "org.apache.hadoop.yarn.server.nodemanager.NodeManager";
  private static final String CLUSTER_COMMAND = "io.hottub.yarn.ClusterMain";
  private static final String DOCTOR_COMMAND = "io.hottub.yarn.doctor.DoctorMain";
  private static final String HOST = "127.0.0.1";

  private static final String LOGGING =
      """
      log4j.rootLogger=INFO,console
      log4j.appender.console=org.apache.log4j.ConsoleAppender
      log4j.appender.console.layout=org.apache.log4j.PatternLayout
      log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %p %c{2}: %m%n
      """;

  private static final Predicate<String> CRASH =
      Pattern.compile("^# |free\\(\\)|alloc\\(\\)|corrupted|terminate called").asPredicate();

  private final Path dir = Files.createTempDirectory("hottub-it");
  private final Configuration conf = new Configuration();
  private final List<Daemon> daemons = new ArrayList<>();
  private final List<String> options = new ArrayList<>();
  private final int nodeManagerHttp;
  private final List<String> loggers = new ArrayList<>();
  private YarnClient client;
  private Daemon resourceManager;
  private Daemon nodeManager;

  /**
   * A node that is not started yet.
   *
   * @param pool root of the pool
   * @param home HotTub home
   */
  public YarnNode(Path pool, Path home) throws IOException {
    List<Integer> ports = Ports.free(9);
    int port = 0;
    for (String service :
        List.of(
            "resourcemanager.address",
            "resourcemanager.scheduler.address",
            "resourcemanager.resource-tracker.address",
            "resourcemanager.admin.address",
            "resourcemanager.webapp.address",
            "nodemanager.address",
            "nodemanager.localizer.address",
            "nodemanager.collector-service.address",
            "nodemanager.webapp.address")) {
      conf.set("yarn." + service, HOST + ":" + ports.get(port++));
    }
    nodeManagerHttp = ports.get(port - 1);
    conf.set("fs.defaultFS", "file:///");
    conf.set("hadoop.tmp.dir", dir.resolve("tmp").toString());
    conf.set("yarn.resourcemanager.hostname", HOST);
    // The two daemons start at once: the NodeManager is not to wait 30 s for its second try.
    conf.set("yarn.resourcemanager.connect.retry-interval.ms", "200");
    conf.set("yarn.resourcemanager.connect.max-wait.ms", "60000");
    conf.set("yarn.nodemanager.hostname", HOST);
    conf.set("yarn.nodemanager.bind-host", HOST);
    conf.set("yarn.nodemanager.local-dirs", dir.resolve("local").toString());
    conf.set("yarn.nodemanager.log-dirs", dir.resolve("logs").toString());
    // Until then a NodeManager that stops waits for its applications, up to 17 s.
    conf.set("yarn.nodemanager.log.retain-seconds", "1");
    conf.set("yarn.nodemanager.recovery.dir", dir.resolve("recovery").toString());
    conf.set("yarn.node-attribute.fs-store.root-dir", dir.resolve("attributes").toUri().toString());
    conf.set("yarn.nodemanager.resource.memory-mb", "1024");
    conf.set("yarn.nodemanager.vmem-check-enabled", "false");
    conf.set("yarn.nodemanager.pmem-check-enabled", "false");
    conf.set(
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "99.9");
    conf.set("yarn.scheduler.minimum-allocation-mb", "128");
    conf.set("yarn.scheduler.capacity.root.queues", "default");
    conf.set("yarn.scheduler.capacity.root.default.capacity", "100");
    conf.set("yarn.scheduler.capacity.maximum-am-resource-percent", "1");
    // As an operator would install HotTub.
    conf.set("yarn.nodemanager.aux-services", "hottub");
    conf.set("yarn.nodemanager.aux-services.hottub.class", "io.hottub.yarn.HotTubAuxService");
    conf.set("yarn.nodemanager.aux-services.hottub.dir", pool.toString());
    conf.set("yarn.nodemanager.aux-services.hottub.home", home.toString());
    conf.set("yarn.nodemanager.aux-services.hottub.scan-interval-ms", "100");
    conf.set("yarn.nodemanager.container-executor.class", "io.hottub.yarn.HotTubContainerExecutor");
  }

  /** Another node of the cluster of {@code master}, with a pool of its own; it has to be closed. */
  public YarnNode(Path pool, Path home, YarnNode master) throws IOException {
    this(pool, home);
    master.conf.forEach(
        setting -> {
          if (setting.getKey().startsWith("yarn.resourcemanager.")) {
            conf.set(setting.getKey(), setting.getValue());
          }
        });
    connect();
  }

  /** Changes a setting for the daemons that are started after it. */
  public void set(String name, String value) {
    conf.set(name, value);
  }

  /** Gives an option to the JVMs of the daemons that are started after it. */
  public void jvmOption(String option) {
    options.add(option);
  }

  /** Lets daemons that are started after it log what a class has to say for its developers. */
  public void debug(String className) {
    loggers.add(className);
  }

  /** Its native part, which has to be setuid root, is a script that keeps to the same contract. */
  public void useLinuxContainerExecutor() {
    set("yarn.nodemanager.container-executor.class", "io.hottub.yarn.HotTubLinuxContainerExecutor");
    set(
        "yarn.nodemanager.linux-container-executor.path",
        Programs.program("container-executor").toString());
    set("yarn.nodemanager.linux-container-executor.nonsecure-mode.limit-users", "false");
  }

  /**
   * As on a cluster whose containers have users of their own: starts the NodeManager without root's
   * right to read what is not its own, with containers of another user. Needs root.
   */
  public Daemon startNodeManagerWithContainersOf(String user) throws Exception {
    useLinuxContainerExecutor();
    // YARN gives it the environment of a container alone.
    Path executor = dir.resolve("container-executor");
    String script = "#!/bin/sh\nCONTAINER_USER=%s exec '%s' \"$@\"\n";
    Files.writeString(executor, script.formatted(user, Programs.program("container-executor")));
    Files.setPosixFilePermissions(executor, PosixFilePermissions.fromString("rwxr-xr-x"));
    set("yarn.nodemanager.linux-container-executor.path", executor.toString());
    Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxr-xr-x"));
    writeConfiguration();
    List<String> command = List.of("setpriv", "--bounding-set=-dac_override,-dac_read_search");
    nodeManager = Daemon.startBy(command, dir, NODE_MANAGER);
    daemons.add(nodeManager);
    return awaitNodeManager(nodeManager);
  }

  /** The configuration for clients. */
  public Configuration conf() {
    return conf;
  }

  /** A folder that is removed with the cluster. */
  public Path dir() {
    return dir;
  }

  /** Starts the ResourceManager, also after it has ended. */
  public void startResourceManager() throws IOException {
    resourceManager = start(RESOURCE_MANAGER);
    if (client == null) {
      connect();
    }
  }

  /** The last that was started. */
  public Daemon resourceManager() {
    return resourceManager;
  }

  private void connect() {
    // Each of the tries, for a minute, would try for 10 s itself.
    Configuration impatient = new Configuration(conf);
    impatient.set("ipc.client.connect.max.retries", "0");
    client = YarnClient.createYarnClient();
    client.init(impatient);
    client.start();
  }

  /** A client of the ResourceManager; stopped with the cluster. */
  public YarnClient client() {
    return client;
  }

  /**
   * Starts the NodeManager and waits until its web page answers, when all its services run, and the
   * ResourceManager knows it (which is not asked where it wants to know who asks).
   */
  public Daemon startNodeManager() throws IOException, InterruptedException {
    return awaitNodeManager(launchNodeManager());
  }

  /**
   * Starts a NodeManager that has HotTub's jar only in the auxiliary service's own class path, and
   * so YARN's own container executor.
   */
  public Daemon startNodeManagerWithIsolatedService() throws IOException, InterruptedException {
    set("yarn.nodemanager.aux-services.hottub.classpath", Daemon.dropInJar().toString());
    conf.unset("yarn.nodemanager.container-executor.class");
    writeConfiguration();
    Daemon daemon = Daemon.startWithoutHotTub(dir, NODE_MANAGER, "");
    daemons.add(daemon);
    return awaitNodeManager(daemon);
  }

  /** Starts a NodeManager without HotTub, whose auxiliary services are those of a manifest. */
  public Daemon startNodeManagerWithManifest() throws IOException, InterruptedException {
    set("yarn.nodemanager.aux-services.manifest.enabled", "true");
    conf.unset("yarn.nodemanager.container-executor.class");
    return startNodeManagerWith("");
  }

  /** Sends the NodeManager a manifest of auxiliary services, as an operator does. */
  public void putManifest(String json) throws IOException, InterruptedException {
    String user = System.getProperty("user.name");
    URI services =
        URI.create(
            "http://%s:%d/ws/v1/node/auxiliaryservices?user.name=%s"
                .formatted(HOST, nodeManagerHttp, user));
    HttpResponse<String> response =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(services)
                    .header("Content-Type", "application/json")
                    .PUT(HttpRequest.BodyPublishers.ofString(json))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    assertEquals(200, response.statusCode(), response.body());
  }

  /** Starts a NodeManager that has HotTub only by what an operator adds to its class path. */
  public Daemon startNodeManagerWith(String classPath) throws IOException, InterruptedException {
    writeConfiguration();
    nodeManager = Daemon.startWithoutHotTub(dir, NODE_MANAGER, classPath);
    daemons.add(nodeManager);
    return awaitNodeManager(nodeManager);
  }

  /** Starts the NodeManager; {@link #awaitNodeManager} is the rest. */
  public Daemon launchNodeManager() throws IOException {
    nodeManager = start(NODE_MANAGER);
    return nodeManager;
  }

  /** The last that was started, but for one with an isolated service. */
  public Daemon nodeManager() {
    return nodeManager;
  }

  public Daemon awaitNodeManager(Daemon daemon) throws IOException, InterruptedException {
    Await.until(
        "the NodeManager answers (" + dir + ")",
        () -> {
          if (!daemon.isAlive()) {
            throw new AssertionError(Files.readString(dir.resolve("NodeManager.log")));
          }
          return jmx("java.lang:type=Runtime").contains("Uptime");
        });
    if (conf.get("hadoop.security.authentication", "simple").equals("simple")) {
      awaitRegistered();
    }
    return daemon;
  }

  /** Waits until the ResourceManager has heard of this node. */
  public void awaitRegistered() throws InterruptedException {
    Await.until(
        "the node is registered",
        () -> {
          if (resourceManager != null && !resourceManager.isAlive()) {
            throw new AssertionError(Files.readString(dir.resolve("ResourceManager.log")));
          }
          return client.getNodeReports(NodeState.RUNNING).stream()
              .map(report -> ":" + report.getNodeId().getPort())
              .anyMatch(conf.get("yarn.nodemanager.address")::endsWith);
        });
  }

  private Daemon start(String mainClass) throws IOException {
    return start(mainClass, List.of());
  }

  /** Starts a program with the cluster's settings, which ends with the cluster, if not before. */
  public Daemon start(String mainClass, List<String> arguments) throws IOException {
    writeConfiguration();
    Daemon daemon = Daemon.start(dir, options, mainClass, arguments);
    daemons.add(daemon);
    return daemon;
  }

  /** Runs {@code hottub cluster} with these arguments, and returns what it wrote. */
  public String cluster(int status, String... arguments) throws IOException, InterruptedException {
    return command(status, CLUSTER_COMMAND, List.of(arguments));
  }

  /** Runs {@code hottub doctor} of an installation, and returns what it wrote. */
  public String doctor(int status, Path install, String... options)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of(install.toString()));
    arguments.addAll(List.of(options));
    return command(status, DOCTOR_COMMAND, arguments);
  }

  private String command(int status, String mainClass, List<String> arguments)
      throws IOException, InterruptedException {
    writeConfiguration();
    Path log = dir.resolve(mainClass.substring(mainClass.lastIndexOf('.') + 1) + ".log");
    Files.deleteIfExists(log);
    Daemon command = Daemon.start(dir, options, mainClass, arguments);
    int ended = command.end();
    String written = Files.readString(log);
    assertEquals(status, ended, written);
    return written;
  }

  /** Runs a client of the cluster that is a class of the tests, and returns what it wrote. */
  public String client(Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    writeConfiguration();
    Path log = dir.resolve(program.getSimpleName() + ".log");
    Files.deleteIfExists(log);
    Daemon command =
        Daemon.startWith(Daemon.testClasses(), dir, options, program.getName(), List.of(arguments));
    int ended = command.end();
    String written = Files.readString(log);
    assertEquals(0, ended, written);
    return written;
  }

  private void writeConfiguration() throws IOException {
    Path folder = Files.createDirectories(dir.resolve("conf"));
    for (String name : List.of("core-site", "hdfs-site", "yarn-site", "capacity-scheduler")) {
      String file = name + ".xml";
      // At once: a daemon that was started before may be reading it.
      Path draft = folder.resolve(file + ".new");
      try (OutputStream out = Files.newOutputStream(draft)) {
        conf.writeXml(out);
      }
      Files.move(draft, folder.resolve(file), StandardCopyOption.ATOMIC_MOVE);
    }
    StringBuilder logging = new StringBuilder(LOGGING);
    loggers.forEach(name -> logging.append("log4j.logger.").append(name).append("=DEBUG\n"));
    Files.writeString(folder.resolve("log4j.properties"), logging);
  }

  /** Beans of the NodeManager as its {@code /jmx} page shows them. */
  public String jmx(String query) throws IOException {
    return jmx(nodeManagerHttp, query);
  }

  /** Where a page of the NodeManager's web server is. */
  public String url(String path) {
    return "http://" + HOST + ":" + nodeManagerHttp + path;
  }

  /** Such a page. */
  public String page(String path) throws IOException {
    return Servers.read(url(path));
  }

  /** The same, once it has that text. */
  public String awaitPage(String path, String text) throws InterruptedException {
    return Await.value(
        path + " has " + text, Await.LONGEST, () -> page(path), page -> page.contains(text));
  }

  /** Beans of the daemon that has this port for HTTP. */
  public static String jmx(int port, String query) throws IOException {
    try {
      URI page = new URI("http", null, HOST, port, "/jmx", "qry=" + query, null);
      return Servers.read(page.toString());
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }

  /** Waits until a metric of the NodeManager is what {@code text} says in JSON. */
  public void awaitMetric(String name, String text) throws InterruptedException {
    Await.until(name + " is " + text, () -> jmx("hottub:name=" + name + ",*").contains(text));
  }

  /** Waits until a counter of the NodeManager is not 0. */
  public void awaitCounted(String name) throws InterruptedException {
    Await.until(
        name + " is counted",
        () -> {
          String page = jmx("hottub:name=" + name + ",*");
          return page.contains("\"Count\" : ") && !page.contains("\"Count\" : 0");
        });
  }

  /** What the VM and the C library have said of crashes, in logs of containers that are left. */
  public String crashes() {
    try (Stream<Path> files = Files.walk(dir.resolve("logs"))) {
      StringBuilder all = new StringBuilder();
      for (Path log : files.filter(Files::isRegularFile).toList()) {
        Files.readString(log).lines().filter(CRASH).forEach(line -> all.append(line).append('\n'));
      }
      return all.toString();
    } catch (IOException | UncheckedIOException e) {
      return e.toString();
    }
  }

  /** Stops what still runs and removes all files, but for the logs, which go to {@code target}. */
  public void close() throws IOException, InterruptedException {
    if (client != null) {
      client.stop();
    }
    // The NodeManager first, while it can still end its containers.
    for (int i = daemons.size() - 1; i >= 0; i--) {
      daemons.get(i).close();
    }
    Path logs =
        Files.createDirectories(Path.of("target", "daemon-logs", dir.getFileName().toString()));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(dir, "*.log")) {
      for (Path file : files) {
        Files.copy(file, logs.resolve(file.getFileName()));
      }
    }
    try (Stream<Path> files = Files.walk(dir)) {
      files.sorted(Comparator.reverseOrder()).forEach(YarnNode::delete);
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
