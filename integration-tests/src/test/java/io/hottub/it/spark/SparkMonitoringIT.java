// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.spark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Ports;
import io.hottub.it.harness.SparkOnYarn;
import io.hottub.it.harness.SparkRun;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What production clusters watch their applications with: an exporter and a log of collections in
 * the executor, JMX in the driver.
 */
@NeedsHome
@Tag("long")
class SparkMonitoringIT extends SparkOnYarn {
  private static final int LEASES = 5;
  private static final String LAUNCHER = "org.apache.spark.launcher.Main";
  private static final String SUBMIT = "org.apache.spark.deploy.SparkSubmit";
  private static final Path EXPORTER =
      Path.of(
          System.getProperty("hottub.test.libraries"),
          "exporters",
          "jmx_prometheus_javaagent-1.0.1.jar");

  private int exporterPort;
  private int jmxPort;
  private Path rules;

  @Override
  protected String version() {
    return "3";
  }

  @BeforeEach
  void vouchForTheExporter() throws Exception {
    List<Integer> ports = Ports.free(2);
    exporterPort = ports.get(0);
    jmxPort = ports.get(1);
    rules = Files.writeString(pool.work().resolve("rules.yaml"), "rules:\n- pattern: '.*'\n");
    Files.writeString(pool.userFolder().resolve("agents"), "io.prometheus.jmx.JavaAgent\n");
  }

  private List<String> settings() {
    return List.of(
        "spark.executor.instances=1",
        "spark.executor.cores=2",
        "spark.executor.extraJavaOptions=-javaagent:%s=127.0.0.1:%d:%s -Xlog:gc*:file=<LOG_DIR>/gc.log"
            .formatted(EXPORTER.toAbsolutePath(), exporterPort, rules),
        "spark.driver.extraJavaOptions=-Djava.net.preferIPv4Stack=true"
            + " -Djava.rmi.server.hostname=127.0.0.1"
            + " -Dcom.sun.management.jmxremote.host=127.0.0.1"
            + " -Dcom.sun.management.jmxremote.port="
            + jmxPort
            + " -Dcom.sun.management.jmxremote.ssl=false"
            + " -Dcom.sun.management.jmxremote.authenticate=false");
  }

  /** What is seen of an application from outside while it runs, without what differs each time. */
  private List<String> watched(boolean pooled) throws Exception {
    Path folder = folder();
    SparkRun run = spark.submit(pooled, "client", settings(), "wait", folder.toString());
    awaitExecutors(folder);
    List<String> seen = new ArrayList<>(metrics());
    seen.addAll(driver());
    Files.createFile(folder.resolve("go"));
    assertEquals(0, run.end(), run.log());
    seen.add(Files.readString(folder.resolve("result")));
    try (var logs = Files.walk(node.dir().resolve("logs"))) {
      String application = run.id();
      List<Path> found =
          logs.filter(log -> log.endsWith("gc.log") && log.toString().contains(application))
              .toList();
      assertEquals(1, found.size(), found.toString());
      String log = Files.readString(found.get(0));
      assertTrue(log.lines().findFirst().orElse("").endsWith("Using G1"), log);
      assertTrue(log.contains("Pause Young"), log);
    }
    pool.awaitIdle();
    return seen;
  }

  /**
   * Names, with labels; those that the first collection adds come or do not, and the daemons have a
   * JDK of their own.
   */
  private Set<String> metrics() throws Exception {
    Set<String> names = new TreeSet<>();
    URI page = URI.create("http://127.0.0.1:" + exporterPort + "/metrics");
    try (InputStream in = page.toURL().openStream()) {
      new String(in.readAllBytes(), UTF_8)
          .lines()
          .filter(line -> line.matches("(jvm|java|process|jmx)_.*"))
          .filter(
              line ->
                  !line.matches(
                      ".*(LastGcInfo|allocated_bytes|_created|CollectionUsage|_info[{]).*"))
          .map(line -> line.replaceAll(" \\S+$", ""))
          .forEach(names::add);
    }
    assertTrue(names.size() > 100, names.toString());
    return names;
  }

  @SuppressWarnings("BanJNDI") // the driver of this test, on loopback
  private List<String> driver() throws Exception {
    JMXServiceURL url =
        new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + jmxPort + "/jmxrmi");
    try (JMXConnector connector = JMXConnectorFactory.connect(url)) {
      MBeanServerConnection beans = connector.getMBeanServerConnection();
      RuntimeMXBean runtime =
          ManagementFactory.newPlatformMXBeanProxy(
              beans, ManagementFactory.RUNTIME_MXBEAN_NAME, RuntimeMXBean.class);
      return List.of(
          new TreeSet<>(Arrays.asList(beans.getDomains())).toString(),
          runtime.getSpecVersion(),
          runtime.getSystemProperties().get("sun.java.command").replaceAll(" .*", ""),
          // The command line's, but for the folder of the application.
          runtime.getInputArguments().stream()
              .filter(option -> option.contains("jmxremote"))
              .toList()
              .toString());
    }
  }

  @Test
  void executorsAndDriversAreWatchedAsOnStock() throws Exception {
    List<String> stock = watched(false);
    for (int lease = 1; lease <= LEASES; lease++) {
      int former = journalled();
      assertEquals(stock, watched(true), "lease " + lease);
      if (lease > 1) {
        List<String> served = served(former);
        assertTrue(served.stream().allMatch(run -> run.endsWith(" warm")), served + pool.logs());
        assertTrue(
            served.containsAll(List.of(LAUNCHER + " warm", SUBMIT + " warm", EXECUTOR + " warm")),
            served.toString());
      }
    }
  }
}
