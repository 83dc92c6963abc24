// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.protocol.JvmState;
import io.hottub.protocol.PoolLimits;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PoolPolicyTest {
  private Jvms jvms;

  @BeforeEach
  void createPool() throws IOException {
    jvms = new Jvms();
  }

  @AfterEach
  void removePool() throws IOException {
    jvms.close();
  }

  private Map<Long, RetireReason> retired(PoolLimits limits) throws IOException {
    return new PoolPolicy(limits)
        .toRetire(jvms.view()).entrySet().stream()
            .collect(Collectors.toMap(e -> e.getKey().socket().keeperPid(), Map.Entry::getValue));
  }

  @Test
  void withinTheLimitsAllStay() throws Exception {
    jvms.add(1, "a", JvmState.IDLE, "idle_ms", 900_000, "run", 999);
    jvms.add(2, "a", JvmState.LEASED, "run", 5000);
    assertEquals(Map.of(), retired(new PoolLimits(2, 2, 900, 1000)));
  }

  @Test
  void idleTooLongOrUsedTooOften() throws Exception {
    jvms.add(1, "a", JvmState.IDLE, "idle_ms", 900_001);
    jvms.add(2, "a", JvmState.IDLE, "idle_ms", 1, "run", 1000);
    jvms.add(3, "a", JvmState.IDLE);
    assertEquals(
        Map.of(1L, RetireReason.IDLE_TOO_LONG, 2L, RetireReason.TOO_MANY_LEASES),
        retired(new PoolLimits(9, 9, 900, 1000)));
  }

  @Test
  void theLeastRecentlyUsedGoFirst() throws Exception {
    jvms.add(1, "a", JvmState.IDLE, "idle_ms", 10);
    jvms.add(2, "b", JvmState.IDLE, "idle_ms", 30);
    jvms.add(3, "c", JvmState.IDLE, "idle_ms", 20);
    jvms.add(4, "d", JvmState.LEASED);
    assertEquals(
        Map.of(2L, RetireReason.TOO_MANY_JVMS, 3L, RetireReason.TOO_MANY_JVMS),
        retired(new PoolLimits(2, 9, 900, 1000)));
  }

  @Test
  void aFingerprintHasALimitOfItsOwn() throws Exception {
    jvms.add(1, "a", JvmState.IDLE, "idle_ms", 10);
    jvms.add(2, "a", JvmState.IDLE, "idle_ms", 20);
    jvms.add(3, "b", JvmState.IDLE, "idle_ms", 30);
    assertEquals(
        Map.of(2L, RetireReason.TOO_MANY_OF_FINGERPRINT), retired(new PoolLimits(9, 1, 900, 1000)));
  }

  @Test
  void whatRetiresAlreadyDoesNotCount() throws Exception {
    jvms.add(1, "a", JvmState.IDLE);
    jvms.add(2, "a", JvmState.RETIRING);
    assertEquals(Map.of(), retired(new PoolLimits(1, 1, 900, 1000)));
  }

  @Test
  void withoutPoolingEveryIdleJvmGoes() throws Exception {
    jvms.add(1, "a", JvmState.IDLE);
    jvms.add(2, "a", JvmState.LEASED);
    jvms.add(3, "b", JvmState.IDLE);
    assertEquals(2, retired(new PoolLimits(0, 1, 900, 1000)).size());
  }
}
