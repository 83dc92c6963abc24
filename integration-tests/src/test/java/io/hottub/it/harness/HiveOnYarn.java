// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.protocol.JvmState;
import io.hottub.protocol.KeeperState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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
      List.of(TezOnYarn.MASTER + " warm", TezOnYarn.TASK + " warm");

  protected Pool pool;
  protected YarnNode node;
  protected HiveHome hive;
  private Path client;
  protected HiveQueries queries;
  private int clients;
  private int starts;

  /** Files of queries of the tables. */
  protected abstract List<String> scripts();

  /** Settings beyond those of every such test, before the daemons are started. */
  protected void configure(YarnNode node) throws Exception {}

  /** What the server needs to be started, beyond that of every such test. */
  protected void prepare(HiveHome server) throws Exception {}

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
    configure(node);
    Hdfs.start(node);
    node.startResourceManager();
    node.startNodeManager();
    hive = new HiveHome(node, pool);
    prepare(hive);
    hive.startServer(Home.STOCK_JAVA);
    client = hive.compile("HiveScript");
    String jar = hive.compileJar("HiveReversed").toString();
    Path data = pool.work().resolve("data");
    HiveTables.write(data);
    HiveSession made =
        run(
            Home.STOCK_JAVA,
            "",
            Files.readString(Programs.program("tables.sql")).replace("${DATA}", data.toString()));
    assertFalse(made.out().contains("fails, "), made.out());
    StringBuilder text = new StringBuilder();
    for (String name : scripts()) {
      text.append(Files.readString(Programs.program(name)).replace("${JAR}", jar));
    }
    queries = HiveQueries.parse(text.toString());
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

  /** All queries in one session of the server, and the end of all that it has started. */
  protected HiveSession session(Path java, String settings) throws Exception {
    return session(java, settings, queries);
  }

  /** The same with some of them, or in another order. */
  protected HiveSession session(Path java, String settings, HiveQueries some) throws Exception {
    HiveSession session = run(java, settings, some.text());
    awaitRest();
    return session;
  }

  /** A program that runs a query, with all that it starts on stock JVMs or in the pool. */
  protected interface Shell {
    ProcessBuilder builder(boolean pooled) throws Exception;
  }

  /**
   * The same rows in the pool, and the second time it is warm. So are its containers, then or soon
   * after: one that comes while the JVMs of those before it are reset starts another.
   */
  protected void assertShellIsWarm(String main, String rows, Shell shell) throws Exception {
    assertEquals(rows, output(shell, false));
    assertEquals(rows, output(shell, true));
    List<String> served = servedOf(shell, rows);
    assertTrue(served.contains(main + " warm"), served + pool.logs());
    for (int more = 0; more < 3 && !served.containsAll(WARM); more++) {
      served = servedOf(shell, rows);
    }
    assertTrue(served.containsAll(WARM), served + pool.logs());
  }

  private List<String> servedOf(Shell shell, String rows) throws Exception {
    int former = ServedRuns.journalled(pool);
    assertEquals(rows, output(shell, true));
    return served(former);
  }

  private String output(Shell shell, boolean pooled) throws Exception {
    Outcome outcome = await("shell", shell.builder(pooled));
    awaitRest();
    return outcome.out();
  }

  private void awaitRest() throws Exception {
    Await.until(
        "the session's application has ended",
        HadoopJob.LONGEST,
        () ->
            node.client().getApplications().stream()
                .noneMatch(report -> report.getFinishTime() == 0));
    Await.until(
        "all JVMs but the servers' are idle",
        HadoopJob.LONGEST,
        () -> pool.states().stream().allMatch(HiveOnYarn::restsOrServes));
  }

  /** Runs a client to its end, which has to be a good one. */
  private Outcome await(String name, ProcessBuilder client) throws Exception {
    clients++;
    Outcome outcome =
        HiveHome.await(
            client,
            node.dir().resolve("%s-%d-out.log".formatted(name, clients)),
            node.dir().resolve("%s-%d-err.log".formatted(name, clients)));
    assertEquals(0, outcome.status(), outcome.toString());
    return outcome;
  }

  private ProcessBuilder script(Path java, String settings, String text) throws Exception {
    Path script = Files.createTempFile(pool.work(), "session", ".sql");
    Files.writeString(script, text);
    List<String> arguments = List.of("HiveScript", hive.url(settings), script.toString());
    return hive.builder(java, List.of(client), arguments);
  }

  private HiveSession run(Path java, String settings, String text) throws Exception {
    ProcessBuilder script = script(java, settings, text);
    long start = System.nanoTime();
    Outcome outcome = await("session", script);
    return HiveSession.of(outcome, (System.nanoTime() - start) / 1_000_000);
  }

  /**
   * Recipes for master and tasks, made of the containers of sessions with these queries.
   *
   * @return their texts; first that of the master
   */
  protected List<String> recipesOf(HiveQueries some) throws Exception {
    List<String> trainer =
        List.of(Recipes.RUN_JAR, Daemon.jar("tez-plugin").toString(), TezOnYarn.TRAINER);
    Map<String, String> recipes = new TreeMap<>();
    // One that ends too soon is met in the next session.
    for (int runs = 0; runs < 3 && recipes.size() < 2; runs++) {
      Process session =
          script(Home.STOCK_JAVA, HOTTUB, some.text())
              .redirectErrorStream(true)
              .redirectOutput(node.dir().resolve("recipes-" + runs + ".log").toFile())
              .start();
      try {
        Recipes.collect(
            recipes,
            pool,
            session.toHandle(),
            Set.of(TezOnYarn.MASTER, TezOnYarn.TASK),
            trainer,
            hive::permanentRecipe);
        assertEquals(0, session.waitFor());
      } finally {
        session.destroyForcibly();
      }
      awaitRest();
    }
    assertEquals(2, recipes.size(), recipes::toString);
    return List.of(recipes.get(TezOnYarn.MASTER), recipes.get(TezOnYarn.TASK));
  }

  /** A node that has just started, with an empty pool and these recipes. */
  public void startAnew(Map<String, String> recipes) throws Exception {
    starts++;
    Recipes.replace(node, pool, pool.work().resolve("recipes-" + starts), recipes);
    node.startNodeManager();
  }

  private static boolean restsOrServes(KeeperState state) {
    return state.state() == JvmState.IDLE
        || state.state() == JvmState.TEMPLATE
        || HiveHome.SERVER.equals(state.mainClass())
        || HiveMetastore.SERVER.equals(state.mainClass());
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
