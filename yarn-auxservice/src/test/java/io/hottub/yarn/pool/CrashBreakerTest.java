// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.MetricRegistry;
import io.hottub.protocol.PoolMarks;
import io.hottub.protocol.TempPool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CrashBreakerTest {
  private static final String FINGERPRINT = "a".repeat(32);

  private final MetricRegistry registry = new MetricRegistry();
  private long nanos = Long.MAX_VALUE; // so that it overflows
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
    return new CrashBreaker(
        new PoolMarks(temp.pool()),
        new CrashBreaker.Rule(crashes, Duration.ofSeconds(60), Duration.ofSeconds(600)),
        () -> nanos,
        registry);
  }

  @Test
  void opensAfterSoManyCrashes() throws Exception {
    CrashBreaker breaker = breaker(2);
    breaker.crashed(FINGERPRINT);
    breaker.crashed("b".repeat(32));
    assertFalse(Files.exists(mark));
    nanos += Duration.ofSeconds(60).toNanos();
    Instant before = Instant.now();
    breaker.crashed(FINGERPRINT);
    Instant until = Files.getLastModifiedTime(mark).toInstant();
    assertFalse(until.isBefore(before.plusSeconds(600)), until + " after " + before);
    assertFalse(until.isAfter(Instant.now().plusSeconds(600)), until + " after " + before);
    assertEquals(1, registry.counter("pool.circuits_opened").getCount());
  }

  @Test
  void crashesThatAreLongAgoDoNotCount() {
    CrashBreaker breaker = breaker(2);
    breaker.crashed(FINGERPRINT);
    nanos += Duration.ofSeconds(61).toNanos();
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
