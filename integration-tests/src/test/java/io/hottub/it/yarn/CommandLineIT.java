// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.HadoopHome;
import io.hottub.it.harness.Hdfs;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.YarnNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Hadoop's commands against a NameNode, a DataNode and a ResourceManager: on stock JVMs, and then
 * with HotTub in its shell profiles.
 */
@NeedsHome
class CommandLineIT {
  private static final List<String> COMMANDS =
      List.of(
          "hdfs dfs -put file /file",
          "hdfs dfs -ls /",
          "hdfs dfs -cat /file",
          "hdfs dfs -cat /none",
          "hadoop fs -count /",
          "hdfs dfs -rm /file",
          "yarn application -list",
          "mapred job -list");

  private Pool pool;
  private YarnNode node;
  private HadoopHome hadoop;

  @BeforeEach
  void createCluster() throws Exception {
    pool = new Pool();
    node = new YarnNode(pool.root(), Home.path());
    node.set("mapreduce.framework.name", "yarn");
    Hdfs.start(node);
    node.startResourceManager();
    hadoop = new HadoopHome(node, pool);
    Files.writeString(pool.work().resolve("file"), "what is read\n".repeat(1_000));
  }

  @AfterEach
  void stopCluster() throws Exception {
    node.close();
    pool.close();
  }

  private List<Outcome> outcomes() throws Exception {
    List<Outcome> outcomes = new ArrayList<>();
    for (String command : COMMANDS) {
      outcomes.add(
          hadoop
              .run(command)
              .normalised(
                  text ->
                      text.replaceAll("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d(:[0-9,]+)?", "TIME")));
    }
    return outcomes;
  }

  @Test
  void commandsAreWarmAndAsOnStockJvms() throws Exception {
    List<Outcome> stock = outcomes();
    assertEquals(
        List.of(0, 0, 0, 1, 0, 0, 0, 0),
        stock.stream().map(Outcome::status).toList(),
        stock.toString());
    assertFalse(stock.toString().contains("native-hadoop"), stock.toString());
    assertEquals(List.of(), pool.servedBy(), "nothing is installed");

    hadoop.installHotTub();
    List<Outcome> pooled = outcomes();
    for (int i = 0; i < COMMANDS.size(); i++) {
      assertEquals(List.of(), pooled.get(i).differences(stock.get(i)), COMMANDS.get(i));
    }
    pool.assertOneJvmServedLast(COMMANDS.size());
    String log = Files.readString(node.dir().resolve("DataNode.log"));
    assertEquals(
        2,
        log.split("REQUEST_SHORT_CIRCUIT_FDS.*success: true").length - 1,
        "blocks read by clients, stock and pooled");

    List<Long> jvms = pool.servedBy();
    String mapped = Files.readString(Path.of("/proc/" + jvms.get(jvms.size() - 1) + "/maps"));
    assertFalse(mapped.contains("ShortCircuitShm"), "of a client that has ended: " + mapped);

    Outcome daemon = hadoop.run("hdfs namenode -h");
    assertTrue(daemon.out().contains("Usage: hdfs namenode"), daemon.toString());
    assertEquals(COMMANDS.size(), pool.servedBy().size(), "a daemon keeps its java");

    hadoop.removeHotTub();
    hadoop.installHotTubForTheUser();
    assertEquals(0, hadoop.run("hdfs dfs -ls /").status());
    pool.assertOneJvmServedLast(COMMANDS.size() + 1);
  }
}
