// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.protocol.JvmState;
import io.hottub.protocol.PoolLimits;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PoolPolicyTest {
  private MockPool jvms;

  @BeforeEach
  void createPool() throws IOException {
    jvms = new MockPool();
  }

  @AfterEach
  void removePool() throws IOException {
    jvms.close();
  }

  private static final int MUCH = 1 << 30;
  private static final PoolLimits SHARED = new PoolLimits(9, 9, 900, 1000, MUCH);

  private static PolicyLimits wide(PoolLimits shared) {
    return new PolicyLimits(shared, 1024, 0, 86_400);
  }

  private Map<Long, RetireReason> retired(PoolLimits limits) throws IOException {
    return retired(wide(limits), PoolPolicy.Room.AMPLE);
  }

  private Map<Long, RetireReason> retired(PolicyLimits limits, PoolPolicy.Room room)
      throws IOException {
    return decide(limits, room).retire().entrySet().stream()
        .collect(Collectors.toMap(e -> e.getKey().socket().keeperPid(), Map.Entry::getValue));
  }

  private PoolPolicy.Decision decide(PolicyLimits limits, PoolPolicy.Room room) throws IOException {
    return new PoolPolicy(limits, fingerprint -> 0).decide(jvms.view(), room);
  }

  @Test
  void withinTheLimitsAllStay() throws Exception {
    jvms.add(1, "a", JvmState.IDLE, "idle_ms", 900_000, "run", 999);
    jvms.add(2, "a", JvmState.LEASED, "run", 5000);
    assertEquals(Map.of(), retired(new PoolLimits(2, 2, 900, 1000, MUCH)));
  }

  @Test
  void idleTooLongOrUsedTooOften() throws Exception {
    jvms.add(1, "a", JvmState.IDLE, "idle_ms", 900_001);
    jvms.add(2, "a", JvmState.IDLE, "idle_ms", 1, "run", 1000);
    jvms.add(3, "a", JvmState.IDLE);
    assertEquals(
        Map.of(1L, RetireReason.IDLE_TOO_LONG, 2L, RetireReason.TOO_MANY_LEASES),
        retired(new PoolLimits(9, 9, 900, 1000, MUCH)));
  }

  @Test
  void theLeastRecentlyUsedGoFirst() throws Exception {
    jvms.add(1, "a", JvmState.IDLE, "idle_ms", 10);
    jvms.add(2, "b", JvmState.IDLE, "idle_ms", 30);
    jvms.add(3, "c", JvmState.IDLE, "idle_ms", 20);
    jvms.add(4, "d", JvmState.LEASED);
    assertEquals(
        Map.of(2L, RetireReason.TOO_MANY_JVMS, 3L, RetireReason.TOO_MANY_JVMS),
        retired(new PoolLimits(2, 9, 900, 1000, MUCH)));
  }

  @Test
  void aFingerprintHasALimitOfItsOwn() throws Exception {
    jvms.add(1, "a", JvmState.IDLE, "idle_ms", 10);
    jvms.add(2, "a", JvmState.IDLE, "idle_ms", 20);
    jvms.add(3, "b", JvmState.IDLE, "idle_ms", 30);
    assertEquals(
        Map.of(2L, RetireReason.TOO_MANY_OF_FINGERPRINT),
        retired(new PoolLimits(9, 1, 900, 1000, MUCH)));
  }

  @Test
  void whatRetiresAlreadyDoesNotCount() throws Exception {
    jvms.add(1, "a", JvmState.IDLE);
    jvms.add(2, "a", JvmState.RETIRING);
    assertEquals(Map.of(), retired(new PoolLimits(1, 1, 900, 1000, MUCH)));
  }

  @Test
  void withoutPoolingEveryIdleJvmGoes() throws Exception {
    jvms.add(1, "a", JvmState.IDLE);
    jvms.add(2, "a", JvmState.LEASED);
    jvms.add(3, "b", JvmState.IDLE);
    assertEquals(2, retired(new PoolLimits(0, 1, 900, 1000, MUCH)).size());
  }

  @Test
  void aTenantHasALimitOfItsOwn() throws Exception {
    jvms.add(1, "a", JvmState.IDLE, "idle_ms", 10, "tenant", "alice");
    jvms.add(2, "b", JvmState.IDLE, "idle_ms", 20, "tenant", "alice");
    jvms.add(3, "c", JvmState.IDLE, "idle_ms", 30, "tenant", "bob");
    assertEquals(
        Map.of(2L, RetireReason.TOO_MANY_OF_TENANT),
        retired(new PolicyLimits(SHARED, 1, 0, 86_400), PoolPolicy.Room.AMPLE));
  }

  @Test
  void theOldGoAlsoWhenTheyAreLeased() throws Exception {
    jvms.add(1, "a", JvmState.LEASED, "age_ms", 60_001);
    jvms.add(2, "a", JvmState.IDLE, "age_ms", 60_000);
    assertEquals(
        Map.of(1L, RetireReason.TOO_OLD),
        retired(new PolicyLimits(SHARED, 9, 0, 60), PoolPolicy.Room.AMPLE));
  }

  @Test
  void whatWastesMostMemoryForEachLeaseGoesFirst() throws Exception {
    jvms.add(1, "a", JvmState.IDLE, "idle_ms", 1_000, "rss_kb", 1024, "run", 1);
    jvms.add(2, "b", JvmState.IDLE, "idle_ms", 5_000, "rss_kb", 1024, "run", 100);
    jvms.add(3, "c", JvmState.IDLE, "idle_ms", 1_000, "rss_kb", 2048, "run", 1);
    jvms.add(4, "d", JvmState.LEASED, "rss_kb", 999_999);
    PolicyLimits limits = new PolicyLimits(new PoolLimits(9, 9, 900, 1000, 2), 9, 0, 86_400);
    assertEquals(Map.of(3L, RetireReason.MEMORY_BUDGET), retired(limits, PoolPolicy.Room.AMPLE));
    assertEquals(
        Map.of(3L, RetireReason.MEMORY_BUDGET, 1L, RetireReason.MEMORY_BUDGET),
        retired(limits, new PoolPolicy.Room(1 << 20, false)),
        "less room beside the containers");
  }

  @Test
  void theMostUsefulStayThoughIdleForLong() throws Exception {
    jvms.add(1, "a", JvmState.IDLE, "idle_ms", 999_999, "run", 1);
    jvms.add(2, "b", JvmState.IDLE, "idle_ms", 999_999, "run", 100);
    PolicyLimits limits = new PolicyLimits(SHARED, 9, 1, 86_400);
    PoolPolicy.Decision decision = decide(limits, PoolPolicy.Room.AMPLE);
    assertEquals(Map.of(1L, RetireReason.IDLE_TOO_LONG), retired(limits, PoolPolicy.Room.AMPLE));
    assertEquals(2, decision.keep().get(0).socket().keeperPid());
    assertEquals(1, decision.keep().size());
  }

  @Test
  void aFingerprintKeepsAMinimumOfItsOwn() throws Exception {
    jvms.add(1, "a", JvmState.IDLE, "idle_ms", 999_999, "run", 1);
    jvms.add(2, "a", JvmState.IDLE, "idle_ms", 999_999, "run", 3);
    jvms.add(3, "b", JvmState.IDLE, "idle_ms", 999_999, "run", 100);
    PoolPolicy policy = new PoolPolicy(wide(SHARED), name -> name.startsWith("a") ? 1 : 0);
    PoolPolicy.Decision decision = policy.decide(jvms.view(), PoolPolicy.Room.AMPLE);
    assertEquals(2, decision.keep().get(0).socket().keeperPid());
    assertEquals(2, decision.retire().size());
  }

  @Test
  void aTemplateIsNeitherIdleForTooLongNorUsedTooOften() throws Exception {
    jvms.add(1, "a", JvmState.TEMPLATE, "idle_ms", 999_999, "run", 5000);
    jvms.add(2, "a", JvmState.LEASED);
    assertEquals(Map.of(), retired(SHARED));
  }

  @Test
  void aTemplateTakesAPlaceAndGoesAfterAllIdleJvms() throws Exception {
    jvms.add(1, "a", JvmState.TEMPLATE);
    jvms.add(2, "a", JvmState.IDLE, "idle_ms", 10);
    jvms.add(3, "b", JvmState.IDLE, "idle_ms", 20);
    assertEquals(
        Map.of(3L, RetireReason.TOO_MANY_JVMS), retired(new PoolLimits(2, 9, 900, 1000, MUCH)));
    assertEquals(
        Map.of(2L, RetireReason.TOO_MANY_OF_FINGERPRINT),
        retired(new PoolLimits(9, 1, 900, 1000, MUCH)));
    assertEquals(3, retired(new PoolLimits(0, 1, 900, 1000, MUCH)).size());
  }

  @Test
  void theMemoryOfATemplateCounts() throws Exception {
    jvms.add(1, "a", JvmState.TEMPLATE, "rss_kb", 2048);
    jvms.add(2, "a", JvmState.IDLE, "rss_kb", 1024);
    assertEquals(Map.of(), retired(new PoolLimits(9, 9, 900, 1000, 3)));
    assertEquals(
        Map.of(2L, RetireReason.MEMORY_BUDGET), retired(new PoolLimits(9, 9, 900, 1000, 2)));
    assertEquals(
        Map.of(2L, RetireReason.MEMORY_BUDGET, 1L, RetireReason.MEMORY_BUDGET),
        retired(new PoolLimits(9, 9, 900, 1000, 1)));
  }

  @Test
  void aTemplateStaysForTheClonesThatStay() throws Exception {
    jvms.add(1, "a", JvmState.TEMPLATE);
    jvms.add(2, "a", JvmState.IDLE, "idle_ms", 999_999);
    jvms.add(3, "b", JvmState.TEMPLATE);
    jvms.add(4, "c", JvmState.TEMPLATE);
    PoolPolicy policy =
        new PoolPolicy(
            new PolicyLimits(SHARED, 9, 1, 86_400), name -> name.startsWith("b") ? 1 : 0);
    PoolPolicy.Decision decision = policy.decide(jvms.view(), PoolPolicy.Room.AMPLE);
    assertEquals(
        Set.of(1L, 2L, 3L),
        decision.keep().stream().map(jvm -> jvm.socket().keeperPid()).collect(Collectors.toSet()));
    assertEquals(Map.of(), decision.retire());
  }

  @Test
  void underPressureTemplatesGoLast() throws Exception {
    jvms.add(1, "a", JvmState.TEMPLATE);
    jvms.add(2, "a", JvmState.IDLE);
    PoolPolicy.Room tight = new PoolPolicy.Room(Long.MAX_VALUE, true);
    assertEquals(Map.of(2L, RetireReason.MEMORY_PRESSURE), retired(wide(SHARED), tight));
    try (MockPool rest = new MockPool()) {
      rest.add(1, "a", JvmState.TEMPLATE);
      PoolPolicy policy = new PoolPolicy(wide(SHARED), fingerprint -> 0);
      assertEquals(1, policy.decide(rest.view(), tight).retire().size());
    }
  }

  @Test
  void underPressureHalfOfTheIdleGoWhateverIsToStay() throws Exception {
    jvms.add(1, "a", JvmState.IDLE, "idle_ms", 30);
    jvms.add(2, "b", JvmState.IDLE, "idle_ms", 20);
    jvms.add(3, "c", JvmState.IDLE, "idle_ms", 10);
    jvms.add(4, "d", JvmState.LEASED);
    PolicyLimits limits = new PolicyLimits(SHARED, 9, 3, 86_400);
    PoolPolicy.Room tight = new PoolPolicy.Room(Long.MAX_VALUE, true);
    assertEquals(
        Map.of(1L, RetireReason.MEMORY_PRESSURE, 2L, RetireReason.MEMORY_PRESSURE),
        retired(limits, tight));
    assertEquals(1, decide(limits, tight).keep().size());
  }
}
