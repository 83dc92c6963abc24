// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.it.jvm.Home;
import io.hottub.it.jvm.NeedsHome;
import io.hottub.it.jvm.Pool;
import io.hottub.protocol.KeeperState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Containers of a real NodeManager that are served by real pooled JVMs, and what kills them. */
@NeedsHome
class PooledContainersIT {
  private static final Pattern EXIT_CODE = Pattern.compile("exitCode: (-?\\d+)");

  private Pool pool;
  private YarnNode node;
  private YarnClient client;
  private Path classes;
  private int runs;

  /** A run of WaitsForFile in a container. */
  private record WaitingRun(Application application, Path go, Path status) {}

  /** What YARN says about the end of a container. */
  private record End(YarnApplicationState state, Integer exitCode) {}

  @BeforeEach
  void startYarn() throws Exception {
    pool = new Pool();
    classes = Home.compile(pool.work().resolve("classes"), "WaitsForFile");
    node = new YarnNode(pool.root(), Home.path());
    node.set("yarn.nodemanager.recovery.enabled", "true");
    node.set("yarn.nodemanager.recovery.supervised", "true");
    node.startResourceManager();
    client = YarnClient.createYarnClient();
    client.init(node.conf());
    client.start();
  }

  @AfterEach
  void stopYarn() throws Exception {
    client.stop();
    // JVMs first: a supervised NodeManager leaves its containers running.
    pool.retireAll();
    node.close();
    pool.close();
  }

  private Daemon startNodeManager() throws Exception {
    Daemon daemon = node.startNodeManager();
    Await.until(
        "the node is registered", () -> client.getYarnClusterMetrics().getNumNodeManagers() == 1);
    return daemon;
  }

  /** Starts a container, and waits until its program runs. */
  private WaitingRun start(boolean pooled) throws Exception {
    runs++;
    Path started = pool.work().resolve("started-" + runs);
    WaitingRun run =
        new WaitingRun(
            new Application(client),
            pool.work().resolve("go-" + runs),
            pool.work().resolve("status-" + runs));
    // The shell waits for its child, writes its exit status down and hands it on. YARN puts this
    // into double quotes.
    String command =
        "$JAVA_HOME/bin/java -cp CLASSES WaitsForFile STARTED GO; s=\\$?;"
            + " echo \\$s > STATUS.new; mv STATUS.new STATUS; exit \\$s";
    run.application()
        .environment("JAVA_HOME", Home.path().toString())
        .environment("HOTTUB", pooled ? "on" : "off")
        .environment("HOTTUB_TRACE", pool.trace().toString())
        .submit(
            command
                .replace("CLASSES", classes.toString())
                .replace("STARTED", started.toString())
                .replace("GO", run.go().toString())
                .replace("STATUS", run.status().toString()));
    Await.until("the program runs", () -> Files.exists(started));
    return run;
  }

  private static void letGo(WaitingRun run) throws Exception {
    Files.createFile(run.go());
  }

  private static End end(WaitingRun run) throws Exception {
    YarnApplicationState state = run.application().awaitEnd();
    Matcher matcher = EXIT_CODE.matcher(run.application().diagnostics());
    return new End(state, matcher.find() ? Integer.valueOf(matcher.group(1)) : null);
  }

  private End undisturbed(boolean pooled) throws Exception {
    WaitingRun run = start(pooled);
    letGo(run);
    return end(run);
  }

  @Test
  void oneJvmServesContainersOneAfterTheOther() throws Exception {
    startNodeManager();
    End stock = undisturbed(false);
    assertEquals(new End(YarnApplicationState.FAILED, 7), stock);
    for (int i = 0; i < 3; i++) {
      assertEquals(stock, undisturbed(true), "run " + i + pool.logs());
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(3);
    Await.until(
        "the JVM is on JMX",
        () -> node.jmx("hottub:name=pool.jvms.idle,*").contains("\"Value\" : 1"));
  }

  @Test
  void killingTheApplicationLeavesTheJvm() throws Exception {
    startNodeManager();
    undisturbed(true);
    pool.awaitIdle();
    long jvm = pool.state().jvmPid();
    End[] ends = new End[2];
    for (boolean pooled : new boolean[] {false, true}) {
      WaitingRun run = start(pooled);
      run.application().kill();
      ends[pooled ? 1 : 0] = end(run);
    }
    assertEquals(ends[0], ends[1]);
    pool.awaitIdle();
    assertEquals(new End(YarnApplicationState.FAILED, 7), undisturbed(true));
    pool.awaitIdle();
    assertEquals(jvm, pool.state().jvmPid(), pool.logs());
  }

  @ParameterizedTest
  @ValueSource(strings = {"client", "jvm"})
  void killingAProcessOfTheRunKillsTheRunOnly(String victim) throws Exception {
    startNodeManager();
    WaitingRun run = start(true);
    KeeperState state = pool.state();
    long pid = victim.equals("client") ? state.clientPid() : state.jvmPid();
    ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    // As a shell sees the death of a stock JVM by SIGKILL.
    assertEquals(new End(YarnApplicationState.FAILED, 137), end(run), pool.logs());
    pool.awaitIdle();
    assertEquals(new End(YarnApplicationState.FAILED, 7), undisturbed(true));
    pool.awaitIdle();
    pool.assertOneJvmServedLast(1);
  }

  @Test
  void aRunOutlivesItsNodeManager() throws Exception {
    Daemon first = startNodeManager();
    List<WaitingRun> both = List.of(start(false), start(true));
    long jvm = pool.state().jvmPid();
    first.kill();
    startNodeManager();
    for (WaitingRun run : both) {
      letGo(run);
    }
    for (WaitingRun run : both) {
      assertEquals(new End(YarnApplicationState.FAILED, 7), end(run));
      assertEquals("7\n", Files.readString(run.status()));
    }
    pool.awaitIdle();
    assertEquals(new End(YarnApplicationState.FAILED, 7), undisturbed(true));
    pool.awaitIdle();
    assertEquals(jvm, pool.state().jvmPid(), pool.logs());
  }

  @Test
  void aRunThatEndsWhileThereIsNoNodeManagerKeepsItsStatus() throws Exception {
    Daemon first = startNodeManager();
    List<WaitingRun> both = List.of(start(false), start(true));
    first.kill();
    for (WaitingRun run : both) {
      letGo(run);
      Await.until("the run has ended", () -> Files.exists(run.status()));
      assertEquals("7\n", Files.readString(run.status()));
    }
    pool.awaitIdle();
    startNodeManager();
    for (WaitingRun run : both) {
      assertEquals(new End(YarnApplicationState.FAILED, 7), end(run));
    }
    assertEquals(new End(YarnApplicationState.FAILED, 7), undisturbed(true));
    pool.awaitIdle();
    pool.assertOneJvmServedLast(2);
  }
}
