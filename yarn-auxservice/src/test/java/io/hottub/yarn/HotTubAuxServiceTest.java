// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.protocol.JvmState;
import io.hottub.protocol.MockKeeper;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.service.Service.STATE;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HotTubAuxServiceTest {
  private final Configuration conf = new Configuration(false);
  private final HotTubAuxService service = new HotTubAuxService();
  private Jvms jvms;

  @BeforeEach
  void createPool() throws IOException {
    jvms = new Jvms();
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
  void retiresWhatIsIdleTooLongAndShowsItOnJmx() throws Exception {
    conf.setInt(HotTubConfig.IDLE_SECONDS.name(), 1);
    MockKeeper old = jvms.add(1, "a", JvmState.IDLE, "idle_ms", 1_001);
    MockKeeper fresh = jvms.add(2, "a", JvmState.IDLE, "idle_ms", 10);
    start();
    await("retiring the old JVM", () -> old.requests().contains("RETIRE"));
    old.close();
    await("seeing its end", () -> exists("name=pool.retired.idle,type=counters"));
    assertEquals(1L, jmx("name=pool.retired.idle,type=counters", "Count"));
    assertEquals(1L, jmx("name=pool.jvms.idle,type=gauges", "Value"));
    assertFalse(fresh.requests().contains("RETIRE"));
  }

  private static boolean exists(String name) {
    try {
      jmx(name, "Count");
      return true;
    } catch (Exception e) {
      return false;
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
}
