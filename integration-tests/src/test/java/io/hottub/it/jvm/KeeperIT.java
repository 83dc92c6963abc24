// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import io.hottub.it.harness.Run;
import io.hottub.protocol.PoolLimits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a keeper leaves in its pool's folder. */
@NeedsHome
class KeeperIT {
  private Pool pool;
  private List<String> arguments;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    Path classes = Programs.compile(pool.work().resolve("classes"), "Small");
    arguments = List.of("-cp", classes.toString(), "Small");
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  @Test
  void aCrashBetweenRunsIsReportedInThePool() throws Exception {
    Outcome cold = pool.cold(arguments);
    assertEquals(cold, pool.run(arguments));
    pool.awaitIdle();
    Path folder = pool.sockets().get(0).folder();
    String jvm = Long.toString(pool.state().jvmPid());
    assertEquals(0, pool.start(pool.builder(List.of("kill", "-SEGV", jvm))).await().status());
    Run.await("the JVM has ended", () -> pool.sockets().isEmpty());

    Path report = folder.resolve("hs_err_pid" + jvm + ".log");
    assertTrue(Files.readString(report).contains("SIGSEGV"), report.toString());
    assertEquals(cold, pool.run(arguments));
    assertTrue(Files.exists(report), "young reports stay");

    pool.awaitIdle();
    pool.retireAll();
    Files.setLastModifiedTime(report, FileTime.from(Instant.now().minus(Duration.ofDays(8))));
    assertEquals(cold, pool.run(arguments));
    assertFalse(Files.exists(report), "old reports go");
  }

  private List<String> ofKind(String heap) {
    return Stream.concat(Stream.of(heap), arguments.stream()).toList();
  }

  /** The rule itself has its cases in room.tsv. */
  @Test
  void aFullPoolMakesRoomForWhatComesMoreOften() throws Exception {
    new PoolLimits(1, 1, 900, 1000, 1000).write(pool.directory());
    Outcome cold = pool.cold(arguments);
    assertEquals(cold, pool.run(ofKind("-Xmx61m")));
    pool.awaitIdle();
    long first = pool.state().jvmPid();
    assertEquals(cold, pool.run(ofKind("-Xmx62m")));
    assertEquals(first, pool.state().jvmPid(), "nobody gives way to a stranger at once");
    assertEquals(cold, pool.run(ofKind("-Xmx62m")));
    Run.await("the first JVM has ended", () -> pool.sockets().size() == 1);
    pool.awaitIdle();
    assertNotEquals(first, pool.state().jvmPid());
    assertEquals(cold, pool.run(ofKind("-Xmx62m")));
    assertEquals(pool.state().jvmPid(), pool.servedLast());
    assertTrue(pool.logs().contains("ended after 1 runs: room"), pool.logs());
  }

  private void limitIdleMemory(long mebibytes) throws Exception {
    new PoolLimits(9, 9, 900, 1000, (int) mebibytes).write(pool.directory());
  }

  @Test
  void idleJvmsHoldNoMoreMemoryThanTheyMay() throws Exception {
    limitIdleMemory(1000);
    pool.run(ofKind("-Xmx61m"));
    pool.awaitIdle();
    long first = pool.state().jvmPid();
    long mebibytes = pool.state().rssKb() / 1024;
    Path classes = Programs.compile(pool.work().resolve("waits"), "Waits");
    Run second = pool.start("-Xmx62m", "-cp", classes.toString(), "Waits").awaitOut("waiting");
    assertEquals(2, pool.sockets().size());
    // Room for either of them. What there is when a run ends decides, not when it began.
    limitIdleMemory(mebibytes * 3 / 2);
    second.signal("TERM");
    second.await();
    Run.await("one of them has ended", () -> pool.sockets().size() == 1);
    pool.awaitIdle();
    assertNotEquals(first, pool.state().jvmPid(), "the one that was used last stays");
  }
}
