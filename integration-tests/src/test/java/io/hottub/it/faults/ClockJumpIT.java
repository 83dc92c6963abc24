// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.faults;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Pool;
import io.hottub.protocol.KeeperSocket;
import io.hottub.protocol.KeeperState;
import io.hottub.protocol.PoolMarks;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What depends on time must not depend on a clock that somebody may set. */
@NeedsHome
@SuppressWarnings("try") // close waits for others; an interrupt fails the test
class ClockJumpIT {
  private static final int HOUR = 3_600;

  private Pool pool;
  private FaultJobs jobs;
  private Injector injector;
  private KeeperSocket keeper;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    jobs = new FaultJobs(pool);
    injector = new Injector(pool.work());
    keeper = jobs.onlyKeeper();
  }

  @AfterEach
  void removePool() throws Exception {
    pool.close();
  }

  private boolean isServed(int seconds) throws Exception {
    var prefix = injector.prefix(injector.newReport(), 1, Injector.jump(seconds));
    jobs.assertComplete(jobs.start(prefix, Home.JAVA, 0));
    return pool.servedLast() != 0;
  }

  @ParameterizedTest
  @ValueSource(ints = {HOUR, -HOUR})
  void ageAndIdleTimeStayTrue(int seconds) throws Exception {
    KeeperState before = jobs.state(keeper);
    injector.setClock(keeper.keeperPid(), seconds);
    KeeperState after = jobs.state(keeper);
    assertJustLater(before.ageMs(), after.ageMs());
    assertJustLater(before.idleMs(), after.idleMs());
    assertTrue(isServed(0), pool::logs);
    assertJustLater(before.sinceMs() + seconds * 1000L, jobs.state(keeper).sinceMs());
  }

  private static void assertJustLater(long before, long after) {
    assertTrue(after >= before && after - before < 60_000, after + " ms after " + before + " ms");
  }

  @Test
  void aCircuitIsNotOpenForLongerBecauseTheClockWasSetBack() throws Exception {
    new PoolMarks(pool.directory())
        .closeUntil(keeper.fingerprintPrefix(), Instant.now().plusSeconds(HOUR / 2));
    assertFalse(isServed(0), "it is open");
    assertTrue(isServed(-HOUR), pool::logs);
    assertTrue(isServed(HOUR), pool::logs);
  }
}
