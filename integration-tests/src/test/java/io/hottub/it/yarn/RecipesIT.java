// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.yarn;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Application;
import io.hottub.it.harness.Await;
import io.hottub.it.harness.Daemon;
import io.hottub.it.harness.HadoopHome;
import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import io.hottub.it.harness.YarnNode;
import io.hottub.protocol.JvmState;
import io.hottub.protocol.KeeperState;
import io.hottub.protocol.PoolDirectory;
import io.hottub.protocol.PoolMarks;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Recipes on a real NodeManager, whose runs are runs of real pooled JVMs. */
@NeedsHome
class RecipesIT {
  private static final String SERVICE = "yarn.nodemanager.aux-services.hottub.";

  /** At the lowest priority, on a machine that has more to do. */
  private static final Duration TRAINED = Duration.ofMinutes(5);

  private static final String CALM = "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n";
  private static final String SHORT = "some avg10=50.00 avg60=0.00 avg300=0.00 total=0\n";

  private Pool pool;
  private YarnNode node;
  private Path recipes;
  private Path pressure;
  private Path classes;

  @BeforeEach
  void createYarn() throws Exception {
    pool = new Pool();
    node = new YarnNode(pool.root(), Home.path());
    recipes = Files.createDirectory(pool.work().resolve("recipes"));
    pressure = pool.work().resolve("pressure");
    memory(CALM);
    classes = Programs.compile(pool.work().resolve("classes"), "WaitsForFile");
    node.set(SERVICE + "recipes", recipes.toString());
    node.set(SERVICE + "pressure-file", pressure.toString());
    // What else happens on the machine that runs the tests is not the node's.
    node.set(SERVICE + "recipe-cpu-percent", "100");
    node.startResourceManager();
  }

  @AfterEach
  void stopYarn() throws Exception {
    // JVMs first: a supervised NodeManager leaves its containers running.
    pool.retireAll();
    node.close();
    pool.close();
  }

  private void recipe(String name, String... lines) throws IOException {
    Files.writeString(recipes.resolve(name + ".properties"), String.join("\n", lines) + "\n");
  }

  /** A run that lasts until there is a file, and then ends with status 7. */
  private void waitingRecipe() throws IOException {
    recipe(
        "waits",
        "class-path = " + classes,
        "main-class = WaitsForFile",
        "arguments = started " + pool.work().resolve("go"));
  }

  /** In one step, as the kernel does it: what is half written is no pressure information. */
  private void memory(String stall) throws IOException {
    Path draft = Files.writeString(pool.work().resolve("pressure.draft"), stall);
    Files.move(draft, pressure, StandardCopyOption.ATOMIC_MOVE);
  }

  private String log() throws IOException {
    return Files.readString(node.dir().resolve("NodeManager.log"));
  }

  private List<KeeperState> idleJvms() throws Exception {
    return pool.states().stream().filter(jvm -> jvm.state() == JvmState.IDLE).toList();
  }

  @Test
  void theFirstRunOfAContainerIsServedByAWarmJvm() throws Exception {
    String user = System.getProperty("user.name");
    String jars = node.dir().resolve("conf") + File.pathSeparator + Daemon.classPath();
    String lang = System.getenv("LANG"); // YARN hands it on
    node.set(SERVICE + "isolation", "clone"); // a part of the fingerprint
    node.set(SERVICE + "isolation-of-users", user + "=reuse");
    recipe(
        "list",
        "user = " + user,
        "options = -Xmx128m -Djava.net.preferIPv4Stack=true",
        "class-path = " + jars,
        "main-class = org.apache.hadoop.fs.FsShell",
        "arguments = -ls file:///",
        "runs = 1",
        "deadline-seconds = 600",
        "environment.MALLOC_ARENA_MAX =",
        lang == null ? "" : "environment.LANG = " + lang);
    node.startNodeManager();
    Await.until("a JVM has been trained", TRAINED, () -> idleJvms().size() == 1);
    KeeperState warm = pool.state();
    assertEquals(user, warm.tenant());

    Path listing = pool.work().resolve("listing");
    new Application(node.client())
        .environment("JAVA_HOME", Home.path().toString())
        .environment("HOTTUB_TRACE", pool.trace().toString())
        .submit(
            "$JAVA_HOME/bin/java -Xmx128m -Djava.net.preferIPv4Stack=true -cp "
                + jars
                + " org.apache.hadoop.fs.FsShell -ls file:///proc/self/task > "
                + listing)
        .awaitEnd();
    assertEquals(List.of(warm.jvmPid()), pool.servedBy(), pool.logs());
    assertTrue(Files.readString(pool.trace()).contains("\"run\":2}"), pool.logs());
    assertTrue(Files.readString(listing).contains("Found "), "the listing");
  }

  @Test
  void theRecipeInTheTarballWarmsHadoopsCommands() throws Exception {
    HadoopHome hadoop = new HadoopHome(node, pool);
    hadoop.installHotTub();
    recipe("hdfs-ls", hadoop.recipe(), "runs = 1", "deadline-seconds = 600");
    node.startNodeManager();
    Await.until("a JVM has been trained", TRAINED, () -> idleJvms().size() == 1);
    long warm = pool.state().jvmPid();
    assertEquals(0, hadoop.run("hdfs dfs -ls /").status());
    assertEquals(List.of(warm), pool.servedBy(), pool.logs());
  }

  @Tag("long")
  @Test
  void aMinimumOfTrainedJvmsIsKeptIdle() throws Exception {
    recipe(
        "version",
        "class-path = " + classes,
        "main-class = com.sun.tools.javac.Main",
        "arguments = -version",
        "runs = 2",
        "min-idle = 2");
    node.set(SERVICE + "idle-seconds", "5");
    node.startNodeManager();
    Await.until("two JVMs have been trained", TRAINED, () -> trained().size() == 2);
    assertEquals(1, trained().stream().map(KeeperState::fingerprint).distinct().count());
    node.awaitMetric("recipes.runs", "\"Count\" : 4");
    Thread.sleep(6_000);
    assertEquals(2, trained().size(), "longer idle than others may be");
    KeeperState killed = trained().get(0);
    ProcessHandle.of(killed.jvmPid()).orElseThrow().destroyForcibly();
    Await.until(
        "it has been replaced",
        TRAINED,
        () ->
            trained().size() == 2
                && trained().stream().noneMatch(jvm -> jvm.jvmPid().equals(killed.jvmPid())));
  }

  private List<KeeperState> trained() throws Exception {
    return idleJvms().stream().filter(jvm -> jvm.run() == 2).toList();
  }

  @Tag("long")
  @Test
  void withClonesARecipeIsDoneWhenItsJvmIsATemplate() throws Exception {
    recipe(
        "version",
        "user = " + System.getProperty("user.name"),
        "class-path = " + classes,
        "main-class = com.sun.tools.javac.Main",
        "arguments = -version",
        "runs = 30",
        "min-idle = 2");
    node.set(SERVICE + "idle-seconds", "5");
    node.startNodeManager();
    Await.until("there is a template", TRAINED, () -> templates().size() == 1);
    KeeperState template = templates().get(0);
    Await.until("a clone is ready", () -> idleJvms().size() == 1);
    // Longer than others may be idle, and than until another JVM might be made.
    Thread.sleep(12_000);
    assertEquals(
        List.of(template.jvmPid()), templates().stream().map(KeeperState::jvmPid).toList());
    assertEquals(1, idleJvms().size(), "the clone is kept, and nobody used it: " + pool.logs());
    node.awaitMetric("recipes.runs", "\"Count\" : " + template.run());
    node.awaitMetric("pool.clones.ready", "\"Value\" : 1");
    assertFalse(log().contains("The recipe version failed"), "its JVM is no loss");
  }

  private List<KeeperState> templates() throws Exception {
    return pool.states().stream().filter(jvm -> jvm.state() == JvmState.TEMPLATE).toList();
  }

  @Test
  void aBusyNodeRunsNoRecipeAndARunThatIsOnGivesWay() throws Exception {
    waitingRecipe();
    memory(SHORT);
    node.startNodeManager();
    Thread.sleep(2_000);
    assertEquals(List.of(), pool.sockets());
    memory(CALM);
    Await.until("the recipe runs", TRAINED, this::isLeased);
    memory(SHORT);
    node.awaitMetric("recipes.revoked.memory", "\"Count\" : 1");
    Await.until("its lease is over", () -> !isLeased());
  }

  private boolean isLeased() throws Exception {
    return pool.states().stream().anyMatch(jvm -> jvm.state() == JvmState.LEASED);
  }

  @Test
  void aContainerThatStartsEndsTheRunAndFindsItsJvm() throws Exception {
    waitingRecipe();
    node.startNodeManager();
    Await.until("the recipe runs", TRAINED, this::isLeased);
    KeeperState leased = pool.state();
    assertEquals("recipe_waits", leased.containerId());
    assertEquals(
        List.of(
            "CONTAINER_ID",
            "HOME",
            "HOTTUB_DIR",
            "HOTTUB_TRACE",
            "HOTTUB_TRAINING",
            "JAVA_HOME",
            "LOCAL_DIRS",
            "PATH"),
        environmentOf(leased.clientPid()));
    if (log().contains("Recipes run at the lowest priority")) {
      Await.until("the priority is low", () -> nice(leased.jvmPid()).equals("19"));
    }
    new Application(node.client()).submit("true").awaitEnd();
    node.awaitMetric("recipes.revoked.container", "\"Count\" : 1");
    pool.awaitIdle();
    assertEquals(leased.jvmPid(), pool.state().jvmPid(), pool.logs());
    assertEquals(nice(ProcessHandle.current().pid()), nice(leased.jvmPid()));
  }

  /** The names. */
  private static List<String> environmentOf(long pid) throws IOException {
    return Arrays.stream(Files.readString(Path.of("/proc", pid + "/environ")).split("\0", -1))
        .filter(variable -> !variable.isEmpty())
        .map(variable -> variable.substring(0, variable.indexOf('=')))
        .sorted()
        .toList();
  }

  private static String nice(long pid) throws Exception {
    Process ps = new ProcessBuilder("ps", "-o", "ni=", "-p", Long.toString(pid)).start();
    return new String(ps.getInputStream().readAllBytes(), UTF_8).strip();
  }

  @Test
  void stoppingTheNodeManagerEndsTheRun() throws Exception {
    waitingRecipe();
    node.set("yarn.nodemanager.recovery.enabled", "true");
    Daemon nodeManager = node.startNodeManager();
    Await.until("the recipe runs", TRAINED, this::isLeased);
    nodeManager.stop();
    pool.awaitIdle();
  }

  @Tag("long")
  @Test
  void theNextNodeManagerEndsARunThatOneHasLeft() throws Exception {
    waitingRecipe();
    node.set("yarn.nodemanager.recovery.enabled", "true");
    Daemon nodeManager = node.startNodeManager();
    Await.until("the recipe runs", TRAINED, this::isLeased);
    nodeManager.kill();
    assertTrue(isLeased());
    Files.delete(recipes.resolve("waits.properties"));
    recipe("other", "class-path = " + classes, "main-class = None");
    node.startNodeManager();
    Await.until("its lease is over", () -> !pool.states().stream().anyMatch(this::isWaiting));
  }

  private boolean isWaiting(KeeperState jvm) {
    return "recipe_waits".equals(jvm.containerId());
  }

  @Tag("long")
  @Test
  void whatIsDrainedRunsNoRecipe() throws Exception {
    recipe(
        "version",
        "class-path = " + classes,
        "main-class = com.sun.tools.javac.Main",
        "arguments = -version",
        "runs = 1");
    node.startNodeManager();
    Await.until("a JVM has been trained", TRAINED, () -> idleJvms().size() == 1);
    PoolMarks marks = new PoolMarks(PoolDirectory.at(pool.root()));
    String fingerprint = pool.state().fingerprint();
    marks.drain(fingerprint);
    Await.until("it has been drained", () -> pool.sockets().isEmpty());
    Thread.sleep(12_000); // until the next one may be made
    assertEquals(List.of(), pool.sockets());
    node.awaitMetric("recipes.runs", "\"Count\" : 1");
    marks.undrain(fingerprint);
    Await.until("there is one again", TRAINED, () -> idleJvms().size() == 1);
  }

  /** When the recipe has failed. */
  private List<LocalTime> failures() throws IOException {
    return log()
        .lines()
        .filter(line -> line.contains("The recipe fails failed (exit)"))
        .map(line -> LocalTime.parse(line.substring(11, 23).replace(',', '.')))
        .toList();
  }

  @Tag("long")
  @Test
  void whatFailsOrIsBrokenIsToldAndPauses() throws Exception {
    recipe("fails", "class-path = " + classes, "main-class = NoSuchClass");
    recipe("broken", "class-path = " + classes, "main-class = A", "runs = many");
    node.startNodeManager();
    node.awaitMetric("recipes.broken", "\"Count\" : 1");
    Await.until("it has failed twice", TRAINED, () -> failures().size() > 1);
    Duration pause = Duration.between(failures().get(0), failures().get(1));
    assertTrue(pause.toSeconds() >= 10, "paused for " + pause);
    String file = recipes.resolve("broken.properties").toString();
    List<String> lines = log().lines().filter(line -> line.contains("broken.properties")).toList();
    assertEquals(1, lines.size());
    assertTrue(
        lines
            .get(0)
            .endsWith(
                "The recipe "
                    + file
                    + " is ignored: runs is \"many\", not a whole number from 1 to 100; correct it"
                    + " and restart the NodeManager"),
        lines.get(0));
    Path output = pool.userFolder().resolve("recipes/fails.log");
    assertTrue(Files.readString(output).contains("ClassNotFoundException: NoSuchClass"));
  }
}
