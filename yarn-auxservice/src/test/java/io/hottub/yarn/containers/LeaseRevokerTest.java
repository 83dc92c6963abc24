// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.MetricRegistry;
import io.hottub.protocol.JvmState;
import io.hottub.protocol.MockKeeper;
import io.hottub.yarn.pool.MockPool;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LeaseRevokerTest {
  private static final String CONTAINER = "container_1_0001_01_000002";

  private final MetricRegistry registry = new MetricRegistry();
  private MockPool jvms;

  @BeforeEach
  void createPool() throws IOException {
    jvms = new MockPool();
  }

  @AfterEach
  void removePool() throws IOException {
    jvms.close();
  }

  private MockKeeper leased(long pid, Object... members) throws IOException {
    return jvms.add(pid, "a", JvmState.LEASED, members);
  }

  private void revoke(long wait) throws Exception {
    new LeaseRevoker(jvms.temp.pool(), Duration.ofMillis(wait), registry).revoke(77, CONTAINER);
  }

  @Test
  void failuresBeginAtZero() throws Exception {
    revoke(1);
    assertEquals(Set.of("kill.failures", "kill.leases_late"), registry.getCounters().keySet());
  }

  @Test
  void revokesTheLeasesOfTheProcessGroupAndNoOther() throws Exception {
    MockKeeper first = leased(1, "client_pgid", 77, "run", 3);
    MockKeeper second = leased(2, "client_pgid", 77);
    MockKeeper other = leased(3, "client_pgid", 78, "container_id", CONTAINER);
    MockKeeper idle = jvms.add(4, "a", JvmState.IDLE);
    assertTimeout(Duration.ofSeconds(5), () -> revoke(10_000));
    assertTrue(first.requests().contains("REVOKE"));
    assertTrue(second.requests().contains("REVOKE"));
    assertFalse(other.requests().contains("REVOKE"));
    assertFalse(idle.requests().contains("REVOKE"));
    assertEquals(2, registry.counter("kill.leases_revoked").getCount());
  }

  @Test
  void withoutAGroupTheContainerCounts() throws Exception {
    MockKeeper keeper = leased(1, "container_id", CONTAINER);
    revoke(10_000);
    assertTrue(keeper.requests().contains("REVOKE"));
  }

  @Test
  void aLeaseThatDoesNotEndIsNotWaitedForTooLong() throws Exception {
    String state = MockKeeper.stateJson(1, JvmState.LEASED, "client_pgid", 77);
    jvms.add(
        1, "a", (request, payload) -> request.equals("STATUS") ? MockKeeper.state(state) : null);
    assertTimeout(Duration.ofSeconds(3), () -> revoke(300));
    assertEquals(1, registry.counter("kill.leases_late").getCount());
  }

  @Test
  void aJvmThatEndsWithItsLeaseIsFine() throws Exception {
    AtomicReference<MockKeeper> self = new AtomicReference<>();
    self.set(
        jvms.add(
            1,
            "a",
            (request, payload) -> {
              if (request.equals("STATUS")) {
                return MockKeeper.state(
                    MockKeeper.stateJson(1, JvmState.LEASED, "client_pgid", 77));
              }
              try {
                self.get().close();
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
              return null;
            }));
    assertTimeout(Duration.ofSeconds(5), () -> revoke(10_000));
  }

  @Test
  void keepersThatHangCostNoMoreThanTheWait() throws Exception {
    for (int pid = 1; pid <= 5; pid++) {
      jvms.add(pid, "a", (request, payload) -> null);
    }
    assertTimeout(Duration.ofSeconds(2), () -> revoke(700));
  }
}
