// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import java.io.IOException;
import java.nio.file.Path;

/** A history server of Spark on loopback, on a stock JVM. */
@SuppressWarnings("try") // close waits for the process; an interrupt fails the test
public final class SparkHistory implements AutoCloseable {
  private final Process process;
  private final Path log;
  private final String address;

  /**
   * Starts it.
   *
   * @param spark folder of Spark
   * @param events folder of event logs
   */
  SparkHistory(Path spark, Path events) throws IOException {
    int port = Ports.free(1).get(0);
    address = "http://127.0.0.1:" + port;
    log = events.resolveSibling("history-server.log");
    ProcessBuilder builder =
        new ProcessBuilder(
            spark.resolve("bin/spark-class").toString(),
            "org.apache.spark.deploy.history.HistoryServer");
    builder.environment().put("HOTTUB", "off");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("SPARK_HOME", spark.toString());
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    builder
        .environment()
        .put(
            "SPARK_HISTORY_OPTS",
            "-Dspark.history.fs.logDirectory=%s -Dspark.history.ui.port=%d -Djava.net.preferIPv4Stack=true"
                .formatted(events.toUri(), port));
    process = Servers.start(builder.redirectErrorStream(true).redirectOutput(log.toFile()));
  }

  /** Where a page of an application is, or will be. */
  public String url(String application, String page) {
    return address + "/history/" + application + page;
  }

  /** A page, once it has that text: while an application is loaded there may be another one. */
  public String await(String url, String text) throws InterruptedException {
    return Await.value(
        url + " has " + text + " (" + log + ")",
        SparkRun.LONGEST,
        () -> Servers.read(url),
        page -> page.contains(text));
  }

  @Override
  public void close() throws InterruptedException {
    Servers.stop(process);
  }
}
