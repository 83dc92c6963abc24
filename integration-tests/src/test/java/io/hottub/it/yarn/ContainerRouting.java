// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.hottub.it.harness.Application;
import io.hottub.it.harness.YarnNode;
import io.hottub.protocol.TempPool;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Where a real NodeManager leads containers, by the settings of their applications. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ContainerRouting {
  /** What of a home is looked at. */
  private static final List<String> PARTS = List.of("bin", "conf", "lib");

  TempPool pool;
  YarnNode node;

  private Path home;

  abstract void startNodeManager() throws Exception;

  @BeforeAll
  void startYarn() throws Exception {
    pool = new TempPool();
    // Another spelling of the JDK stands for a HotTub home: a real one is not needed to see where
    // a container is led.
    home = Files.createTempDirectory("hottub-home");
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
    for (String part : PARTS) {
      Files.createSymbolicLink(home.resolve(part), Path.of(System.getProperty("java.home"), part));
    }
    node = new YarnNode(pool.pool().root(), home);
    node.startResourceManager();
    startNodeManager();
  }

  @AfterAll
  void stopYarn() throws Exception {
    node.close();
    pool.close();
    for (String part : PARTS) {
      Files.delete(home.resolve(part));
    }
    Files.delete(home);
  }

  /** A file that containers of other users can read and write. */
  private Path file(String end) throws IOException {
    Path file = Files.createTempFile(node.dir(), "containers", end);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    return file;
  }

  /** Runs a command in a container, and returns what it wrote. */
  String output(Application application, String command) throws Exception {
    Path out = file(".out");
    application.submit(command + " > " + out).awaitEnd();
    String written = Files.readString(out);
    assertFalse(written.isEmpty(), application.diagnostics());
    return written;
  }

  /** What its java would be. */
  private String environmentOf(Application application) throws Exception {
    return output(
        application,
        "echo $JAVA_HOME $HOTTUB_DIR $HOTTUB_TENANT $HOTTUB_ISOLATION $NM_AUX_SERVICE_hottub");
  }

  private String expected(Path javaHome) {
    return expected(javaHome, "clone");
  }

  private String expected(Path javaHome, String isolation) {
    String root = pool.pool().root().toString();
    String metaData =
        java.util.Base64.getEncoder().encodeToString(root.getBytes(StandardCharsets.UTF_8));
    return "%s %s %s %s %s\n"
        .formatted(javaHome, root, System.getProperty("user.name"), isolation, metaData);
  }

  private Path sparkSettings(String line) throws IOException {
    Path file = file(".zip");
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
  void itsIsolationComesBeforeThatOfTheNode() throws Exception {
    Path settings = sparkSettings("spark.hottub.isolation=reuse\nspark.hottub.enabled=true");
    Application application = new Application(node.client()).archive("__spark_conf__", settings);
    assertEquals(expected(home, "reuse"), environmentOf(application));
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
    Path settings = file(".pb");
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
    Application application = new Application(node.client()).file("job.xml", jobSettings());
    assertEquals(expected(home), environmentOf(application));
  }

  /** Those of a job that asks. */
  Path jobSettings() throws IOException {
    Path settings = file(".xml");
    Configuration job = new Configuration(false);
    job.set("mapreduce.hottub.enabled", "true");
    try (OutputStream out = Files.newOutputStream(settings)) {
      job.writeXml(out);
    }
    return settings;
  }

  /** A protocol buffer's field of less than 128 bytes. */
  private static void writeField(OutputStream out, int number, byte[] bytes) throws IOException {
    out.write(number << 3 | 2);
    out.write(bytes.length);
    out.write(bytes);
  }
}
