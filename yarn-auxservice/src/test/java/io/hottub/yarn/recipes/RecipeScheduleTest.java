// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.recipes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.protocol.Isolation;
import io.hottub.protocol.JvmState;
import io.hottub.protocol.PoolLimits;
import io.hottub.protocol.RunTrace;
import io.hottub.yarn.pool.MockPool;
import io.hottub.yarn.pool.PolicyLimits;
import io.hottub.yarn.pool.PoolPolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RecipeScheduleTest {
  private static final String FINGERPRINT = "a".repeat(32);
  private static final String DRAINED = "d".repeat(32);
  private static final RecipeRun.Outcome DONE =
      new RecipeRun.Outcome(
          null, null, new RunTrace(true, null, 7L, FINGERPRINT, 1L, Isolation.REUSE, false));
  private static final RecipeRun.Outcome FAILED =
      new RecipeRun.Outcome(
          "exit", null, new RunTrace(true, null, 7L, FINGERPRINT, 1L, Isolation.REUSE, false));

  private MockPool jvms;
  private Recipe recipe;
  private RecipeSchedule schedule;
  private long nanos = Long.MAX_VALUE; // so that it overflows
  private long roomBytes = Long.MAX_VALUE;

  private static final int MUCH = 1 << 30;

  @BeforeEach
  void createPool() throws IOException {
    jvms = new MockPool();
    recipe = Recipe.parse("a", "class-path=/a\nmain-class=A\nruns=3\nmin-idle=2\nuser=alice\n");
    schedule = schedule(new PoolLimits(9, 9, 900, 1000, MUCH), 9, recipe);
  }

  @AfterEach
  void removePool() throws IOException {
    jvms.close();
  }

  private RecipeSchedule schedule(PoolLimits limits, int ofTenant, Recipe... recipes) {
    return new RecipeSchedule(
        List.of(recipes),
        new PolicyLimits(limits, ofTenant, 0, 86_400),
        DRAINED::equals,
        () -> nanos);
  }

  private Optional<RecipeSchedule.Job> next() throws IOException {
    return schedule.next(jvms.view(), new PoolPolicy.Room(roomBytes, false));
  }

  private void pass(long seconds) {
    nanos += Duration.ofSeconds(seconds).toNanos();
  }

  private RecipeSchedule.Job job(boolean newJvm) {
    return new RecipeSchedule.Job(recipe, newJvm);
  }

  private void learnFingerprint() {
    schedule.ended(job(false), DONE);
  }

  @Test
  void theFirstRunTellsTheFingerprint() throws Exception {
    assertEquals(Optional.of(job(false)), next());
    assertEquals(0, schedule.minIdle(FINGERPRINT));
    learnFingerprint();
    assertEquals(2, schedule.minIdle(FINGERPRINT));
    assertEquals(0, schedule.minIdle("b".repeat(32)));
  }

  @Test
  void anUpdateOfTheMachineMakesAnotherFingerprint() throws Exception {
    learnFingerprint();
    jvms.add(1, "a", JvmState.IDLE, "run", 3);
    jvms.add(2, "a", JvmState.IDLE, "run", 3);
    assertEquals(Optional.empty(), next());
    pass(RecipeSchedule.BETWEEN_LOOKS.toSeconds());
    assertEquals(Optional.of(job(false)), next(), "a run to look");
    String updated = "c".repeat(32);
    schedule.ended(
        job(false),
        new RecipeRun.Outcome(
            null, null, new RunTrace(true, null, 7L, updated, 1L, Isolation.REUSE, false)));
    assertEquals(0, schedule.minIdle(FINGERPRINT), "JVMs of before may end");
    assertEquals(2, schedule.minIdle(updated));
    jvms.add(3, "c", JvmState.IDLE, "run", 1);
    assertEquals(Optional.of(job(false)), next(), "it is trained");
  }

  @Test
  void whereNothingHasChangedOneLookIsEnough() throws Exception {
    learnFingerprint();
    jvms.add(1, "a", JvmState.IDLE, "run", 3);
    jvms.add(2, "a", JvmState.IDLE, "run", 3);
    pass(RecipeSchedule.BETWEEN_LOOKS.toSeconds());
    assertEquals(Optional.of(job(false)), next());
    learnFingerprint();
    assertEquals(Optional.empty(), next());
    assertEquals(2, schedule.minIdle(FINGERPRINT));
  }

  @Test
  void aJvmIsTrainedBeforeTheNextIsMade() throws Exception {
    learnFingerprint();
    jvms.add(1, "a", JvmState.IDLE, "run", 2);
    assertEquals(Optional.of(job(false)), next());
  }

  @Test
  void anotherRunWouldNotGetToAJvmThatWasUsedBefore() throws Exception {
    learnFingerprint();
    jvms.add(1, "a", JvmState.IDLE, "run", 2, "idle_ms", 500);
    jvms.add(2, "a", JvmState.IDLE, "run", 3, "idle_ms", 100);
    assertEquals(Optional.empty(), next());
  }

  @Test
  void thereAreMadeAsManyAsAreToBeIdle() throws Exception {
    learnFingerprint();
    jvms.add(1, "a", JvmState.IDLE, "run", 3);
    jvms.add(2, "a", JvmState.LEASED, "run", 3);
    jvms.add(3, "b", JvmState.IDLE, "run", 3);
    assertEquals(Optional.of(job(true)), next());
    jvms.add(4, "a", JvmState.RESETTING, "run", 1);
    assertEquals(Optional.empty(), next());
  }

  @Test
  void whereThereIsATemplateNothingIsLeftToDo() throws Exception {
    learnFingerprint();
    jvms.add(1, "b", JvmState.TEMPLATE, "run", 3);
    assertEquals(Optional.of(job(true)), next(), "of another kind");
    jvms.add(2, "a", JvmState.TEMPLATE, "run", 2);
    assertEquals(Optional.empty(), next(), "no JVM to train, although none is idle");
    jvms.add(3, "a", JvmState.IDLE, "run", 0);
    assertEquals(Optional.empty(), next(), "a run would end the clone");
  }

  @Test
  void newJvmsComeOneByOne() throws Exception {
    learnFingerprint();
    schedule.ended(job(true), DONE);
    assertEquals(Optional.empty(), next());
    pass(10);
    assertEquals(Optional.of(job(true)), next());
  }

  @Test
  void whereTheLimitsLeaveNoRoomNothingIsMade() throws Exception {
    jvms.add(1, "b", JvmState.IDLE, "tenant", "alice", "rss_kb", 100);
    for (RecipeSchedule full :
        List.of(
            schedule(new PoolLimits(1, 9, 900, 1000, MUCH), 9, recipe),
            schedule(new PoolLimits(9, 9, 900, 1000, MUCH), 1, recipe))) {
      assertEquals(Optional.empty(), full.next(jvms.view(), PoolPolicy.Room.AMPLE));
    }
    learnFingerprint();
    jvms.add(2, "a", JvmState.IDLE, "run", 3, "rss_kb", 100);
    roomBytes = 300 << 10;
    assertEquals(Optional.of(job(true)), next());
    roomBytes--;
    assertEquals(Optional.empty(), next());
    roomBytes = 400 << 10;
    assertEquals(Optional.of(job(true)), next());
    jvms.add(3, "c", JvmState.TEMPLATE, "rss_kb", 200);
    assertEquals(Optional.empty(), next(), "templates hold memory, too");
  }

  @Test
  void whatFailsPausesLongerAndLongerAndIsGivenUp() throws Exception {
    for (int pause : new int[] {10, 20, 40, 80}) {
      assertFalse(schedule.ended(job(false), FAILED));
      pass(pause - 1);
      assertEquals(Optional.empty(), next());
      pass(1);
      assertTrue(next().isPresent());
    }
    assertTrue(schedule.ended(job(false), FAILED));
    pass(86_400);
    assertEquals(Optional.empty(), next());
  }

  @Test
  void onlyFailuresInARowCount() throws Exception {
    for (int i = 0; i < 20; i++) {
      assertFalse(schedule.ended(job(false), FAILED));
      learnFingerprint();
    }
    pass(10);
    assertTrue(next().isPresent());
  }

  @Test
  void givingWayIsNoFailure() throws Exception {
    RecipeRun.Outcome revoked = new RecipeRun.Outcome(null, "memory", null);
    for (int i = 0; i < 20; i++) {
      assertFalse(schedule.ended(job(false), revoked));
    }
    assertEquals(Optional.of(job(false)), next());
  }

  @Test
  void whatIsDrainedWaits() throws Exception {
    RunTrace cold = new RunTrace(false, "drained", null, DRAINED, null, null, false);
    assertTrue(cold.isDrained());
    assertFalse(schedule.ended(job(false), new RecipeRun.Outcome(null, "drained", cold)));
    assertEquals(Optional.empty(), next());
    learnFingerprint();
    assertEquals(Optional.of(job(true)), next());
  }

  @Test
  void oneThatFailsDoesNotKeepTheOthersFromRunning() throws Exception {
    Recipe other = Recipe.parse("b", "class-path=/a\nmain-class=B\n");
    schedule = schedule(new PoolLimits(9, 9, 900, 1000, MUCH), 9, recipe, other);
    schedule.ended(job(false), FAILED);
    assertEquals(Optional.of(new RecipeSchedule.Job(other, false)), next());
  }
}
