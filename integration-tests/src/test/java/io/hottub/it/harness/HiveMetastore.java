// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/** Hive's metastore in a process of its own, with its tables in PostgreSQL. */
public final class HiveMetastore {
  /** Its main class. */
  public static final String SERVER = "org.apache.hadoop.hive.metastore.HiveMetaStore";

  private static final String SCHEMA_TOOL =
      "org.apache.hadoop.hive.metastore.tools.schematool.MetastoreSchemaTool";

  private final HiveHome hive;
  private final Path distribution = SparkHome.fetch("metastore");
  private final Path conf;
  private final int port = Ports.free(1).get(0);
  private Process server;

  /** Makes its tables. */
  public HiveMetastore(HiveHome hive, Postgres database) throws Exception {
    this.hive = hive;
    conf = Files.createDirectories(hive.dir().resolve("metastore-conf"));
    Configuration site = new Configuration(false);
    site.set("javax.jdo.option.ConnectionURL", database.url());
    site.set("javax.jdo.option.ConnectionDriverName", "org.postgresql.Driver");
    site.set("javax.jdo.option.ConnectionUserName", Postgres.NAME);
    site.set("javax.jdo.option.ConnectionPassword", Postgres.NAME);
    site.set("datanucleus.schema.autoCreateAll", "false");
    site.set("hive.metastore.schema.verification", "true");
    // Otherwise its user has to be a proxy user, or HiveServer2 does not start.
    site.set("hive.metastore.event.db.notification.api.auth", "false");
    site.set("metastore.thrift.bind.host", "127.0.0.1");
    site.setInt("metastore.thrift.port", port);
    HiveHome.write(site, conf.resolve("metastore-site.xml"));
    Path out = hive.dir().resolve("schematool.log");
    Process tool =
        builder(Home.STOCK_JAVA, List.of(SCHEMA_TOOL, "-dbType", "postgres", "-initSchema"), out)
            .start();
    Await.until("the schema is made", HiveHome.LONGEST, () -> !tool.isAlive());
    assertEquals(0, tool.exitValue(), () -> read(out));
  }

  private ProcessBuilder builder(Path java, List<String> classAndArguments, Path out)
      throws IOException {
    List<Path> classes = new ArrayList<>(List.of(conf));
    try (Stream<Path> jars = Files.list(distribution.resolve("lib"))) {
      jars.filter(jar -> jar.getFileName().toString().startsWith("postgresql-"))
          .forEach(classes::add);
    }
    ProcessBuilder builder =
        hive.builder(java, classes, classAndArguments)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(out.toFile()))
            .redirectInput(Path.of("/dev/null").toFile());
    builder.environment().put("METASTORE_HOME", distribution.toString());
    return builder;
  }

  private static String read(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** What its clients name. */
  public String uri() {
    return "thrift://127.0.0.1:" + port;
  }

  /** Starts it, and waits until it answers. */
  public void start(Path java) throws Exception {
    Path log = hive.dir().getParent().resolve("HiveMetaStore.log");
    server = Servers.start(builder(java, List.of(SERVER), log));
    Await.until(
        "the metastore answers",
        HiveHome.LONGEST,
        () -> {
          if (!server.isAlive()) {
            throw new AssertionError(read(log));
          }
          new Socket(InetAddress.getLoopbackAddress(), port).close();
          return true;
        });
  }

  /** The same instead of the one that runs, if one does. */
  public void restart(Path java) throws Exception {
    stop();
    start(java);
  }

  /** Ends it as an operator does. */
  public void stop() throws InterruptedException {
    if (server != null && server.isAlive()) {
      Servers.stop(server);
    }
  }
}
