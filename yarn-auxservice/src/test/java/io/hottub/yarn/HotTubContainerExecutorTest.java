// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.protocol.JvmState;
import io.hottub.protocol.MockKeeper;
import io.hottub.yarn.config.HotTubConfig;
import io.hottub.yarn.pool.MockPool;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor.Signal;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerSignalContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HotTubContainerExecutorTest {
  private static final int EXIT_BY_SIGNAL = 128;

  @TempDir Path temp;

  private final Configuration conf = new Configuration();
  private final HotTubContainerExecutor executor = new HotTubContainerExecutor();
  private MockPool jvms;
  private Process container;

  @BeforeEach
  void createPool() throws IOException {
    jvms = new MockPool();
    conf.set(HotTubConfig.DIR.name(), jvms.temp.pool().root().toString());
    conf.set(HotTubConfig.HOME.name(), System.getProperty("java.home"));
  }

  @AfterEach
  void removePool() throws Exception {
    if (container != null) {
      container.destroyForcibly().waitFor();
    }
    jvms.close();
  }

  private void init() throws IOException {
    executor.setConf(conf);
    executor.init(null);
  }

  /** Starts what stands for a container: the leader of a session and process group. */
  private long startContainer() throws IOException {
    container = new ProcessBuilder("setsid", "sleep", "100").start();
    return container.pid();
  }

  private boolean signal(long pid, Signal signal) throws IOException {
    return executor.signalContainer(
        new ContainerSignalContext.Builder()
            .setContainer(containerWithId())
            .setUser("alice")
            .setPid(Long.toString(pid))
            .setSignal(signal)
            .build());
  }

  /** A container of which only the id is of interest. */
  private static Container containerWithId() {
    ContainerId id =
        ContainerId.newContainerId(
            ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1), 2);
    return (Container)
        java.lang.reflect.Proxy.newProxyInstance(
            Container.class.getClassLoader(),
            new Class<?>[] {Container.class},
            (proxy, method, args) -> method.getName().equals("getContainerId") ? id : null);
  }

  private MockKeeper keeperOf(long processGroup) throws IOException {
    return jvms.add(1, "a", JvmState.LEASED, "client_pgid", processGroup);
  }

  private int exitStatus() throws InterruptedException {
    assertTrue(container.waitFor(5, TimeUnit.SECONDS), "the container has not ended");
    return container.exitValue();
  }

  @Test
  void sigkillRevokesTheLeaseAndThenReachesTheGroup() throws Exception {
    init();
    long pid = startContainer();
    MockKeeper keeper = keeperOf(pid);
    signal(pid, Signal.KILL);
    assertTrue(keeper.requests().contains("REVOKE"));
    assertEquals(EXIT_BY_SIGNAL + 9, exitStatus());
  }

  /** The client ends with its lease, before YARN sends its signal. */
  @Test
  void aContainerThatEndsWithItsLeaseWasKilled() throws Exception {
    init();
    long pid = startContainer();
    String state = MockKeeper.stateJson(1, JvmState.LEASED, "client_pgid", pid);
    jvms.add(
        1,
        "a",
        (request, payload) -> {
          if (request.equals("STATUS")) {
            return MockKeeper.state(state);
          }
          container.destroyForcibly().onExit().join();
          return MockKeeper.done();
        });
    assertTrue(signal(pid, Signal.KILL));
  }

  @Test
  void sigtermIsYarnsOwn() throws Exception {
    init();
    long pid = startContainer();
    MockKeeper keeper = keeperOf(pid);
    signal(pid, Signal.TERM);
    assertEquals(List.of(), keeper.requests());
    assertEquals(EXIT_BY_SIGNAL + 15, exitStatus());
  }

  @Test
  void aContainerThatIsGoneCostsNothing() throws Exception {
    init();
    long pid = startContainer();
    container.destroyForcibly().waitFor();
    MockKeeper keeper = keeperOf(pid);
    assertFalse(signal(pid, Signal.KILL));
    assertEquals(List.of(), keeper.requests());
  }

  @Test
  void aDamagedPoolDoesNotSaveAContainerFromSigkill() throws Exception {
    init();
    long pid = startContainer();
    Files.delete(jvms.temp.pool().userFolder());
    Files.createFile(jvms.temp.pool().userFolder());
    signal(pid, Signal.KILL);
    assertEquals(EXIT_BY_SIGNAL + 9, exitStatus());
  }

  private String launchScript(Map<String, String> environment) throws IOException {
    Path archive = Files.createDirectories(temp.resolve("__spark_conf__.zip"));
    Files.writeString(archive.resolve("__spark_conf__.properties"), "spark.hottub.enabled=true\n");
    ByteArrayOutputStream script = new ByteArrayOutputStream();
    executor.writeLaunchEnv(
        script,
        environment,
        Map.of(new org.apache.hadoop.fs.Path(archive.toUri()), List.of("__spark_conf__")),
        List.of("$JAVA_HOME/bin/java"),
        new org.apache.hadoop.fs.Path(temp.toUri()),
        "alice",
        new LinkedHashSet<>());
    return script.toString(StandardCharsets.UTF_8);
  }

  @Test
  void theLaunchScriptLeadsIntoThePool() throws Exception {
    init();
    Map<String, String> environment = new HashMap<>(Map.of("A", "1"));
    String script = launchScript(environment);
    assertTrue(
        script.contains("export JAVA_HOME=\"" + System.getProperty("java.home") + "\""), script);
    assertTrue(script.contains("export HOTTUB_TENANT=\"alice\""), script);
    assertTrue(script.contains("export HOTTUB_DIR=\"" + jvms.temp.pool().root() + "\""), script);
    assertEquals(Map.of("A", "1"), environment);
  }

  @Test
  void aPoolThatCannotBeUsedLeavesTheDefaultExecutor() throws Exception {
    conf.set(HotTubConfig.DIR.name(), "/" + "x".repeat(80));
    init();
    assertFalse(launchScript(new HashMap<>()).contains("HOTTUB"));
    long pid = startContainer();
    signal(pid, Signal.KILL);
    assertEquals(EXIT_BY_SIGNAL + 9, exitStatus());
  }
}
