// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Application;
import io.hottub.it.harness.Await;
import io.hottub.it.harness.Run;
import io.hottub.it.harness.YarnNode;
import io.hottub.protocol.JvmState;
import io.hottub.protocol.MockKeeper;
import io.hottub.protocol.TempPool;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a real NodeManager makes of containers, with a keeper that has no JVM. */
class ContainersIT {
  private static TempPool pool;
  private static YarnNode node;
  private static Path home;

  @BeforeAll
  static void startYarn() throws Exception {
    pool = new TempPool();
    home = Path.of(System.getProperty("java.home"));
    // Another spelling of the JDK stands for a HotTub home: a real one is not needed to see where
    // a container is led.
    home = Files.createSymbolicLink(pool.pool().root().resolve("home"), home);
    node = new YarnNode(pool.pool().root(), home);
    node.startResourceManager();
    node.startNodeManager();
  }

  @AfterAll
  static void stopYarn() throws Exception {
    node.close();
    pool.close();
  }

  /** Runs a container that writes down what its java would be. */
  private static String environmentOf(Application application) throws Exception {
    Path out = Files.createTempFile(node.dir(), "environment", null);
    application
        .submit("echo $JAVA_HOME $HOTTUB_DIR $HOTTUB_TENANT $NM_AUX_SERVICE_hottub > " + out)
        .awaitEnd();
    return Files.readString(out);
  }

  private static String expected(Path javaHome) {
    String root = pool.pool().root().toString();
    String metaData =
        java.util.Base64.getEncoder().encodeToString(root.getBytes(StandardCharsets.UTF_8));
    return "%s %s %s %s\n".formatted(javaHome, root, System.getProperty("user.name"), metaData);
  }

  private static Path sparkSettings(String line) throws IOException {
    Path file = Files.createTempFile(node.dir(), "spark", ".zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      zip.putNextEntry(new ZipEntry("__spark_conf__.properties"));
      zip.write(line.getBytes(StandardCharsets.UTF_8));
    }
    return file;
  }

  @Test
  void sparkThatAsksIsLedToTheHome() throws Exception {
    Path settings = sparkSettings("spark.hottub.enabled=true");
    Application application = new Application(node.client()).archive("__spark_conf__", settings);
    assertEquals(expected(home), environmentOf(application));
  }

  @Test
  void sparkThatDoesNotAskKeepsTheNodesJava() throws Exception {
    Path settings = sparkSettings("spark.hottub.enabled=false");
    Application application = new Application(node.client()).archive("__spark_conf__", settings);
    assertEquals(expected(Path.of(System.getProperty("java.home"))), environmentOf(application));
  }

  @Test
  void anApplicationsOwnJavaHomeStays() throws Exception {
    Path settings = sparkSettings("spark.hottub.enabled=true");
    Application application =
        new Application(node.client())
            .archive("__spark_conf__", settings)
            .environment("JAVA_HOME", "/some/jdk");
    assertEquals(expected(Path.of("/some/jdk")), environmentOf(application));
  }

  @Test
  void tezThatAsksIsLedToTheHome() throws Exception {
    Path settings = Files.createTempFile(node.dir(), "tez-conf", ".pb");
    try (OutputStream out = Files.newOutputStream(settings)) {
      ByteArrayOutputStream pair = new ByteArrayOutputStream();
      writeField(pair, 1, "tez.hottub.enabled".getBytes(StandardCharsets.UTF_8));
      writeField(pair, 2, "true".getBytes(StandardCharsets.UTF_8));
      writeField(out, 1, pair.toByteArray());
    }
    Application application = new Application(node.client()).file("tez-conf.pb", settings);
    assertEquals(expected(home), environmentOf(application));
  }

  @Test
  void mapReduceThatAsksIsLedToTheHome() throws Exception {
    Path settings = Files.createTempFile(node.dir(), "job", ".xml");
    Configuration job = new Configuration(false);
    job.set("mapreduce.hottub.enabled", "true");
    try (OutputStream out = Files.newOutputStream(settings)) {
      job.writeXml(out);
    }
    Application application = new Application(node.client()).file("job.xml", settings);
    assertEquals(expected(home), environmentOf(application));
  }

  /** A protocol buffer's field of less than 128 bytes. */
  private static void writeField(OutputStream out, int number, byte[] bytes) throws IOException {
    out.write(number << 3 | 2);
    out.write(bytes.length);
    out.write(bytes);
  }

  @Test
  void killingAContainerRevokesItsLease() throws Exception {
    Path pidFile = node.dir().resolve("pid");
    // Like a client whose pooled JVM does not end on SIGTERM.
    Application application =
        new Application(node.client())
            .submit("trap '' TERM; echo $$ > " + pidFile + "; while true; do sleep 1; done");
    Await.until("the container runs", () -> Files.exists(pidFile) && Files.size(pidFile) > 0);
    long pid = Long.parseLong(Files.readString(pidFile).trim());
    String state = MockKeeper.stateJson(1, JvmState.LEASED, "client_pgid", pid);
    Path folder = MockKeeper.fingerprintFolder(pool.pool(), "a");
    try (MockKeeper keeper =
        MockKeeper.busy(
            folder,
            1,
            (request, payload) ->
                request.equals("STATUS") ? MockKeeper.state(state) : MockKeeper.done())) {
      application.kill();
      assertEquals(YarnApplicationState.KILLED, application.awaitEnd());
      Await.until("the lease is revoked", () -> keeper.requests().contains("REVOKE"));
      Await.until("the process has ended", () -> Run.hasEnded(pid));
      assertTrue(node.jmx("hottub:name=kill.leases_revoked,*").contains("\"Count\" : 1"));
    }
  }
}
