// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.MetricRegistry;
import io.hottub.protocol.PoolMarks;
import io.hottub.protocol.TempPool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CrashBreakerTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final String FINGERPRINT = "a".repeat(32);

  private final MetricRegistry registry = new MetricRegistry();
  private Instant now = START;
  private TempPool temp;
  private Path mark;

  @BeforeEach
  void create() throws IOException {
    temp = new TempPool();
    mark = temp.pool().userFolder().resolve(FINGERPRINT).resolve("crashing");
  }

  @AfterEach
  void remove() throws IOException {
    temp.close();
  }

  private CrashBreaker breaker(int crashes) {
    Clock clock =
        new Clock() {
          @Override
          public Instant instant() {
            return now;
          }

          @Override
          public ZoneOffset getZone() {
            return ZoneOffset.UTC;
          }

          @Override
          public Clock withZone(java.time.ZoneId zone) {
            return this;
          }
        };
    return new CrashBreaker(
        new PoolMarks(temp.pool()),
        new CrashBreaker.Rule(crashes, Duration.ofSeconds(60), Duration.ofSeconds(600)),
        clock,
        registry);
  }

  @Test
  void opensAfterSoManyCrashes() throws Exception {
    CrashBreaker breaker = breaker(2);
    breaker.crashed(FINGERPRINT);
    breaker.crashed("b".repeat(32));
    assertFalse(Files.exists(mark));
    now = now.plusSeconds(60);
    breaker.crashed(FINGERPRINT);
    assertEquals(now.plusSeconds(600), Files.getLastModifiedTime(mark).toInstant());
    assertEquals(1, registry.counter("pool.circuits_opened").getCount());
  }

  @Test
  void crashesThatAreLongAgoDoNotCount() {
    CrashBreaker breaker = breaker(2);
    breaker.crashed(FINGERPRINT);
    now = now.plusSeconds(61);
    breaker.crashed(FINGERPRINT);
    assertFalse(Files.exists(mark));
  }

  @Test
  void canBeTurnedOff() {
    CrashBreaker breaker = breaker(0);
    for (int i = 0; i < 10; i++) {
      breaker.crashed(FINGERPRINT);
    }
    assertFalse(Files.exists(mark));
  }

  @Test
  void anUnwritableMarkIsCounted() throws Exception {
    Files.createFile(temp.pool().userFolder().resolve(FINGERPRINT));
    breaker(1).crashed(FINGERPRINT);
    assertEquals(1, registry.counter("pool.failures").getCount());
    assertTrue(Files.isRegularFile(temp.pool().userFolder().resolve(FINGERPRINT)));
  }
}
