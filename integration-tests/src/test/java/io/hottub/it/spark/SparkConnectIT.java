// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Ports;
import io.hottub.it.harness.Programs;
import io.hottub.it.harness.SparkOnYarn;
import io.hottub.it.harness.SparkRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The server is the driver. Only Spark 4 has it among its jars. */
@NeedsHome
@Tag("long")
class SparkConnectIT extends SparkOnYarn {
  private static final String SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer";

  @Override
  protected String version() {
    return "4";
  }

  /**
   * Its library, which lies beside Spark's own, brings what these four have, as {@code spark-shell
   * --remote} knows, too.
   */
  private SparkRun client(String port) throws Exception {
    Path bin = spark.path().resolve("bin").toRealPath();
    Path jars = bin.resolveSibling("jars");
    String others =
        "$(ls -d '%s'/*.jar | grep -vE '/spark-(sql|sql-api|connect|connect-common)_' | paste -sd:)"
            .formatted(jars);
    return spark.runLine(
        "\"$JAVA_HOME\"/bin/java --add-opens=java.base/java.nio=ALL-UNNAMED -cp '%s/connect-repl/*':%s %s sc://127.0.0.1:%s"
            .formatted(jars, others, Programs.program("SparkConnectClient.java"), port));
  }

  @Test
  void aClientAsksTheServer() throws Exception {
    assertEquals(
        "sum 499500",
        assertWarmAndEqual(
            (pooled, result) -> {
              String port = Integer.toString(Ports.free(1).get(0));
              SparkRun server =
                  startServer(
                      pooled,
                      SERVER,
                      List.of(
                          "spark.driver.memory=1g",
                          "spark.connect.grpc.binding.address=127.0.0.1",
                          "spark.connect.grpc.binding.port=" + port),
                      "Spark Connect server started at");
              SparkRun client = client(port);
              assertEquals(0, client.end(), client.log() + server.log());
              String sums =
                  client
                      .log()
                      .lines()
                      .filter(line -> line.startsWith("sum "))
                      .collect(Collectors.joining("\n"));
              Files.writeString(Path.of(result), sums);
              assertEquals(143, server.terminate(), server.log());
              return client;
            }));
  }
}
