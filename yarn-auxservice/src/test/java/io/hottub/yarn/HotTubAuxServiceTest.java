// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.protocol.JvmState;
import io.hottub.protocol.MockKeeper;
import io.hottub.protocol.PoolMarks;
import io.hottub.yarn.config.ConfigKey;
import io.hottub.yarn.config.HotTubConfig;
import io.hottub.yarn.log.LogLines;
import io.hottub.yarn.pool.MockPool;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.service.Service.STATE;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.ContainerInitializationContext;
import org.apache.hadoop.yarn.server.api.ContainerTerminationContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HotTubAuxServiceTest {
  private final Configuration conf = new Configuration(false);
  private final HotTubAuxService service = new HotTubAuxService();
  private MockPool jvms;

  @BeforeEach
  void createPool() throws IOException {
    jvms = new MockPool();
    conf.set(HotTubConfig.DIR.name(), jvms.temp.pool().root().toString());
    conf.setInt(HotTubConfig.SCAN_INTERVAL_MS.name(), 100);
  }

  @AfterEach
  void stopAndRemove() throws IOException {
    service.stop();
    jvms.close();
  }

  private void start() {
    service.init(conf);
    service.start();
    assertEquals(STATE.STARTED, service.getServiceState());
  }

  private static void await(String what, BooleanSupplier condition) throws InterruptedException {
    for (int i = 0; i < 200; i++) {
      if (condition.getAsBoolean()) {
        return;
      }
      Thread.sleep(25);
    }
    throw new AssertionError(what + " did not happen within 5 s");
  }

  private static Object jmx(String name, String attribute) throws Exception {
    return ManagementFactory.getPlatformMBeanServer()
        .getAttribute(new ObjectName("hottub:" + name), attribute);
  }

  @Test
  void preparesFolderLimitsAndMetaData() throws Exception {
    conf.setInt(HotTubConfig.MAX_JVMS.name(), 3);
    start();
    assertTrue(
        Files.readString(jvms.temp.pool().userFolder().resolve("limits"))
            .startsWith("max_jvms 3\n"));
    assertEquals(
        jvms.temp.pool().root().toString(),
        StandardCharsets.UTF_8.decode(service.getMetaData()).toString());
  }

  @Test
  void strictHoldsOutsideOfContainers() throws Exception {
    conf.set(HotTubConfig.ISOLATION.name(), "strict");
    start();
    assertEquals("strict", isolationOutsideOfContainers());
  }

  @Test
  void clonesAreForContainers() throws Exception {
    conf.set(HotTubConfig.ISOLATION.name(), "clone");
    start();
    assertEquals("reuse", isolationOutsideOfContainers());
  }

  private String isolationOutsideOfContainers() throws IOException {
    String limits = Files.readString(jvms.temp.pool().userFolder().resolve("limits"));
    return limits.substring(limits.indexOf("\nisolation ") + 11).strip();
  }

  @Test
  void aWrongIsolationIsSaidOnce() throws Exception {
    conf.set(HotTubConfig.ISOLATION.name(), "alone");
    try (LogLines lines = new LogLines(ConfigKey.class)) {
      start();
      assertEquals(
          1, lines.get().stream().filter(line -> line.contains("isolation is \"alone\"")).count());
    }
    assertEquals("reuse", isolationOutsideOfContainers());
  }

  @Test
  void retiresWhatIsIdleTooLongAndShowsItOnJmx() throws Exception {
    conf.setInt(HotTubConfig.IDLE_SECONDS.name(), 1);
    MockKeeper old = jvms.add(1, "a", JvmState.IDLE, "idle_ms", 1_001);
    MockKeeper fresh = jvms.add(2, "a", JvmState.IDLE, "idle_ms", 10);
    start();
    await("retiring the old JVM", () -> old.requests().contains("RETIRE"));
    // As a keeper does.
    journal("{\"event\":\"retired\",\"keeper_pid\":1,\"reason\":\"asked\"}");
    old.close();
    await("seeing its end", () -> count("name=pool.retired.idle,type=counters") == 1);
    // The journal is read before the pool is looked at.
    await("seeing one JVM", () -> idleJvms() == 1);
    assertFalse(fresh.requests().contains("RETIRE"));
  }

  private void journal(String line) throws IOException {
    Path file = jvms.temp.pool().userFolder().resolve("journal");
    Files.writeString(file, line + "\n", StandardOpenOption.APPEND);
  }

  private static long idleJvms() {
    try {
      return (long) jmx("name=pool.jvms.idle,type=gauges", "Value");
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Of a counter, which is there some time before it counts the first. */
  private static long count(String name) {
    try {
      return (long) jmx(name, "Count");
    } catch (Exception e) {
      return 0;
    }
  }

  @Test
  void stopEndsEveryJvm() throws Exception {
    MockKeeper idle = jvms.add(1, "a", JvmState.IDLE);
    MockKeeper leased = jvms.add(2, "a", JvmState.LEASED);
    start();
    service.stop();
    assertTrue(idle.requests().contains("RETIRE"));
    assertTrue(leased.requests().contains("RETIRE"));
  }

  @Test
  void withRecoveryTheJvmsLiveOn() throws Exception {
    conf.setBoolean(YarnConfiguration.NM_RECOVERY_ENABLED, true);
    MockKeeper idle = jvms.add(1, "a", JvmState.IDLE);
    start();
    await("the first scan", () -> idle.requests().contains("STATUS"));
    service.stop();
    assertFalse(idle.requests().contains("RETIRE"));
  }

  @Test
  void aKeeperThatHangsDoesNotKeepTheOthersFromBeingServed() throws Exception {
    conf.setInt(HotTubConfig.IDLE_SECONDS.name(), 1);
    jvms.add(1, "a", (request, payload) -> null);
    MockKeeper old = jvms.add(2, "b", JvmState.IDLE, "idle_ms", 1_001);
    start();
    await("retiring the old JVM", () -> old.requests().contains("RETIRE"));
    assertEquals(1, jmx("name=pool.jvms.unreachable,type=gauges", "Value"));
  }

  @Test
  void anUnusableFolderDoesNotStopTheNodeManager() throws Exception {
    Path file = Files.createFile(jvms.temp.pool().root().resolve("file"));
    conf.set(HotTubConfig.DIR.name(), file.toString());
    start();
    assertEquals(1L, jmx("name=pool.failures,type=counters", "Count"));
    assertEquals(0, service.getMetaData().remaining());
  }

  @Test
  void aRootThatNobodyMadeIsSaidOnceWithTheNextStep() throws Exception {
    Path root = jvms.temp.pool().root().resolve("a/b");
    conf.set(HotTubConfig.DIR.name(), root.toString());
    try (LogLines lines = new LogLines(HotTubAuxService.class)) {
      start();
      List<String> errors = lines.get().stream().filter(line -> line.startsWith("ERROR")).toList();
      assertEquals(
          List.of(
              "ERROR Cannot prepare the pool; the NodeManager goes on without: "
                  + HotTubConfig.DIR.name()
                  + " is \""
                  + root
                  + "\": "
                  + root
                  + " is not there, and nor is the folder above it; what to do: name a folder that is"
                  + " the NodeManager's, or that it can make, and restart it"),
          errors);
      assertFalse(Files.exists(root.getParent()));
    }
  }

  /** What is logged of a setting that the service cannot use: one line. */
  private String error(ConfigKey<?> key, String value) throws Exception {
    conf.set(key.name(), value);
    try (LogLines lines = new LogLines(HotTubAuxService.class)) {
      start();
      List<String> errors = lines.get().stream().filter(line -> line.startsWith("ERROR")).toList();
      assertEquals(1, errors.size(), errors.toString());
      assertTrue(errors.get(0).contains(key.name() + " is \"" + value + "\": "), errors.get(0));
      assertTrue(errors.get(0).contains("; what to do: name "), errors.get(0));
      return errors.get(0);
    }
  }

  @Test
  void aRootThatIsTooLongIsSaidWithItsSetting() throws Exception {
    String said = error(HotTubConfig.DIR, "/" + "x".repeat(60));
    assertTrue(said.contains("longer than 50 bytes"), said);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a..b:80", "192.0.2.1:9000"})
  void anAddressThatIsNotOfThisMachineIsSaidWithItsSetting(String address) throws Exception {
    error(HotTubConfig.PROMETHEUS_ADDRESS, address);
  }

  @Test
  void aFolderThatVanishesDoesNotStopTheWatch() throws Exception {
    start();
    Path user = jvms.temp.pool().userFolder();
    Path aside = jvms.temp.pool().root().resolve("aside");
    Files.move(user, aside);
    Files.createFile(user);
    await("a failed scan", () -> failures() > 0);
    Files.delete(user);
    Files.move(aside, user);
    MockKeeper back = jvms.add(1, "a", JvmState.IDLE);
    await("the next scan", () -> back.requests().contains("STATUS"));
  }

  private static long failures() {
    try {
      return (Long) jmx("name=pool.failures,type=counters", "Count");
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void runsAndCrashesAreCounted() throws Exception {
    conf.setInt(HotTubConfig.CRASHES.name(), 1);
    MockKeeper idle = jvms.add(1, "a", JvmState.IDLE);
    start();
    await("the first scan", () -> idle.requests().contains("STATUS"));
    journal("{\"event\":\"run\",\"served\":\"pool\",\"run\":2,\"lease_us\":900}");
    journal("damaged");
    journal("{\"event\":\"crash\",\"keeper_pid\":7,\"fingerprint\":\"" + "b".repeat(32) + "\"}");
    await("counting the crash", () -> count("name=pool.crashes,type=counters") == 1);
    assertEquals(1L, jmx("name=runs.warm,type=counters", "Count"));
    assertEquals(1.0, jmx("name=runs.hit_ratio,type=gauges", "Value"));
    assertEquals(1L, failures());
    Path mark = jvms.temp.pool().userFolder().resolve("b".repeat(32)).resolve("crashing");
    await("closing its fingerprint", () -> Files.exists(mark));
  }

  @Test
  void theMostUsefulIsKept() throws Exception {
    conf.setInt(HotTubConfig.MIN_IDLE.name(), 1);
    conf.setInt(HotTubConfig.IDLE_SECONDS.name(), 1);
    MockKeeper idle = jvms.add(1, "a", JvmState.IDLE, "idle_ms", 5_000);
    start();
    await("keeping it", () -> idle.requests().contains("KEEP"));
    assertFalse(idle.requests().contains("RETIRE"));
  }

  @Test
  void idleJvmsGiveWayUnderMemoryPressureAtOnce() throws Exception {
    Path file = jvms.temp.pool().root().resolve("pressure");
    Files.writeString(file, "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n");
    conf.set(HotTubConfig.PRESSURE_FILE.name(), file.toString());
    conf.setInt(HotTubConfig.SCAN_INTERVAL_MS.name(), 3_600_000);
    MockKeeper idle = jvms.add(1, "a", JvmState.IDLE);
    start();
    await("the first scan", () -> idle.requests().contains("STATUS"));
    assertFalse(idle.requests().contains("RETIRE"));
    Files.writeString(file, "some avg10=50.00 avg60=0.00 avg300=0.00 total=0\n");
    await("giving way", () -> idle.requests().contains("RETIRE"));
  }

  @Test
  void idleJvmsYieldToContainers() throws Exception {
    conf.setBoolean(HotTubConfig.YIELD_TO_CONTAINERS.name(), true);
    conf.setInt(YarnConfiguration.NM_PMEM_MB, 1_000);
    MockKeeper idle = jvms.add(1, "a", JvmState.IDLE, "rss_kb", 300 * 1024);
    start();
    await("the first scan", () -> idle.requests().contains("STATUS"));
    ContainerId id =
        ContainerId.newContainerId(
            ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1), 1);
    service.initializeContainer(
        new ContainerInitializationContext("alice", id, Resource.newInstance(700, 1)));
    idle.requests().clear();
    await("another scan", () -> idle.requests().size() > 1);
    assertFalse(idle.requests().contains("RETIRE"), "300 MiB fit");
    service.stopContainer(
        new ContainerTerminationContext("alice", id, Resource.newInstance(700, 1)));
    service.initializeContainer(
        new ContainerInitializationContext("alice", id, Resource.newInstance(701, 1)));
    await("yielding", () -> idle.requests().contains("RETIRE"));
  }

  @Test
  void idleJvmsStayOnANodeThatLeavesItsMemoryToYarn() throws Exception {
    conf.setBoolean(HotTubConfig.YIELD_TO_CONTAINERS.name(), true);
    conf.setInt(YarnConfiguration.NM_PMEM_MB, -1); // as yarn-default.xml has it
    MockKeeper idle = jvms.add(1, "a", JvmState.IDLE, "rss_kb", 300 * 1024);
    start();
    await("the second scan", () -> idle.requests().size() > 1);
    assertFalse(idle.requests().contains("RETIRE"));
  }

  @Test
  void metricsForPrometheus() throws Exception {
    conf.set(HotTubConfig.PROMETHEUS_ADDRESS.name(), "127.0.0.1:0");
    start();
    try (var in =
        new java.net.URL("http://127.0.0.1:" + service.prometheusPort() + "/metrics")
            .openStream()) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(text.contains("\nhottub_pool_jvms{state=\"idle\"} 0\n"), text);
      assertTrue(text.contains("\nhottub_runs_warm_total 0\n"), text);
    }
  }

  @Test
  void anAddressThatIsTakenDoesNotStopTheNodeManager() throws Exception {
    try (var taken = new java.net.ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
      conf.set(HotTubConfig.PROMETHEUS_ADDRESS.name(), "127.0.0.1:" + taken.getLocalPort());
      start();
      assertEquals(1L, failures());
    }
  }

  @Test
  void whatIsDrainedEnds() throws Exception {
    MockKeeper closed = jvms.add(1, "a", JvmState.IDLE);
    MockKeeper open = jvms.add(2, "b", JvmState.IDLE);
    new PoolMarks(jvms.temp.pool()).drain("a".repeat(32));
    start();
    await("retiring it", () -> closed.requests().contains("RETIRE"));
    assertFalse(open.requests().contains("RETIRE"));
  }

  @Test
  void withoutAClusterNothingIsDrainedForIt() throws Exception {
    PoolMarks marks = new PoolMarks(jvms.temp.pool());
    marks.drainForCluster(true, Set.of("a".repeat(32)));
    start();
    assertFalse(marks.isDrained());
    assertFalse(marks.isDrained("a".repeat(32)));
  }

  @Test
  void aZooKeeperThatIsNotThereKeepsNobodyWaiting() throws Exception {
    PoolMarks marks = new PoolMarks(jvms.temp.pool());
    marks.drainForCluster(true, Set.of());
    Path credentials = Files.writeString(jvms.temp.pool().root().resolve("c"), "nm:secret");
    Files.setPosixFilePermissions(credentials, PosixFilePermissions.fromString("rw-------"));
    MockKeeper leased = jvms.add(1, "a", JvmState.LEASED);
    try (var deaf = new java.net.ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
      conf.set(HotTubConfig.CLUSTER_CONNECT.name(), "127.0.0.1:" + deaf.getLocalPort());
      conf.set(HotTubConfig.CLUSTER_AUTH.name(), "digest");
      conf.set(HotTubConfig.CLUSTER_CREDENTIALS.name(), credentials.toString());
      long before = System.nanoTime();
      start();
      await("the first scan", () -> leased.requests().contains("STATUS"));
      assertEquals(0, jmx("name=cluster.connected,type=gauges", "Value"));
      assertTrue(marks.isDrained(), "as the switch was last seen");
      service.stop();
      assertTrue(System.nanoTime() - before < 8_000_000_000L, "it took too long");
    }
  }

  @Test
  void credentialsThatOthersMayReadAreNotUsed() throws Exception {
    Path credentials = Files.writeString(jvms.temp.pool().root().resolve("c"), "nm:secret");
    Files.setPosixFilePermissions(credentials, PosixFilePermissions.fromString("rw-r--r--"));
    conf.set(HotTubConfig.CLUSTER_CONNECT.name(), "127.0.0.1:1");
    conf.set(HotTubConfig.CLUSTER_AUTH.name(), "digest");
    conf.set(HotTubConfig.CLUSTER_CREDENTIALS.name(), credentials.toString());
    start();
    await("counting it", () -> count("name=cluster.failures,type=counters") == 1);
  }
}
