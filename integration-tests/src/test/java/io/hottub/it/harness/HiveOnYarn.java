// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.hottub.protocol.JvmState;
import io.hottub.protocol.KeeperState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** Sessions of HiveServer2, whose queries run in Tez on a real node and HDFS. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class HiveOnYarn {
  /** What a session asks for HotTub with; in hive-site.xml or tez-site.xml it is for all. */
  protected static final String HOTTUB = "tez.hottub.enabled=true";

  /** Every container of a session that is warm. */
  protected static final List<String> WARM =
      List.of(
          "org.apache.tez.dag.app.DAGAppMaster warm", "org.apache.tez.runtime.task.TezChild warm");

  protected Pool pool;
  protected YarnNode node;
  protected HiveHome hive;
  private Path client;
  private final List<String> scripts = new ArrayList<>();
  private int sessions;

  /** Files of statements about the tables, each of which has the session of those before. */
  protected abstract List<String> scripts();

  @BeforeAll
  void startHive() throws Exception {
    pool = new Pool();
    node = new YarnNode(pool.root(), Home.path());
    // The master and two tasks at a time: more only wait for each other on two cores.
    node.set("yarn.nodemanager.resource.memory-mb", "1536");
    node.set("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "200");
    node.set("yarn.nodemanager.aux-services", "mapreduce_shuffle,hottub");
    node.set(
        "yarn.nodemanager.aux-services.mapreduce_shuffle.class",
        "io.hottub.quickstart.LocalShuffle");
    Hdfs.start(node);
    node.startResourceManager();
    node.startNodeManager();
    hive = new HiveHome(node, pool);
    hive.startServer(Home.STOCK_JAVA);
    client = hive.compile("HiveScript");
    String jar = hive.compileJar("HiveReversed").toString();
    Path data = pool.work().resolve("data");
    HiveTables.write(data);
    HiveSession made = run(Home.STOCK_JAVA, "", List.of(script("tables.sql", "${DATA}", data)));
    assertFalse(made.out().contains("fails, "), made.out());
    for (String name : scripts()) {
      scripts.add(script(name, "${JAR}", jar));
    }
  }

  private String script(String name, String variable, Object value) throws Exception {
    Path script = pool.work().resolve(name);
    Files.writeString(
        script, Files.readString(Programs.program(name)).replace(variable, value.toString()));
    return script.toString();
  }

  @AfterAll
  void stopHive() throws Exception {
    if (hive != null) {
      hive.stopServer();
    }
    pool.retireAll();
    node.close();
    pool.close();
  }

  /** All statements in one session of the server, and the end of all that it has started. */
  protected HiveSession session(Path java, String settings) throws Exception {
    HiveSession session = run(java, settings, scripts);
    Await.until(
        "the session's application has ended",
        HadoopJob.LONGEST,
        () ->
            node.client().getApplications().stream()
                .noneMatch(report -> report.getFinishTime() == 0));
    Await.until(
        "all JVMs but the server's are idle",
        HadoopJob.LONGEST,
        () -> pool.states().stream().allMatch(HiveOnYarn::restsOrServes));
    return session;
  }

  private HiveSession run(Path java, String settings, List<String> files) throws Exception {
    sessions++;
    List<String> arguments = new ArrayList<>(List.of("HiveScript", hive.url(settings)));
    arguments.addAll(files);
    long start = System.nanoTime();
    Outcome outcome =
        HiveHome.await(
            hive.builder(java, List.of(client), arguments),
            node.dir().resolve("session-out-" + sessions + ".log"),
            node.dir().resolve("session-err-" + sessions + ".log"));
    assertEquals(0, outcome.status(), outcome.toString());
    return HiveSession.of(outcome, (System.nanoTime() - start) / 1_000_000);
  }

  private static boolean restsOrServes(KeeperState state) {
    return state.state() == JvmState.IDLE
        || state.state() == JvmState.TEMPLATE
        || HiveHome.SERVER.equals(state.mainClass());
  }

  /**
   * As with this result, until every container of a session is warm. A container that comes while
   * the JVMs of those before it are reset starts another, which is there the next time.
   */
  protected void assertWarmAndEqual(String stock, Path java) throws Exception {
    List<String> served = List.of();
    for (int run = 0; run < 5 && !served.equals(WARM); run++) {
      int former = ServedRuns.journalled(pool);
      assertEquals(stock, session(java, HOTTUB).out(), pool::logs);
      served = served(former).stream().filter(line -> !line.startsWith("HiveScript")).toList();
    }
    assertEquals(WARM, served, pool::logs);
  }

  /** How the runs since then were served, each kind once. */
  protected List<String> served(int former) throws Exception {
    return ServedRuns.since(pool, former).stream().distinct().sorted().toList();
  }
}
