// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RateLimitTest {
  private long nanos = Long.MAX_VALUE - 5; // the clock may overflow

  @Test
  void oncePerInterval() {
    RateLimit limit = new RateLimit(Duration.ofNanos(10), () -> nanos);
    List<Boolean> taken = new ArrayList<>();
    for (int after : List.of(0, 0, 9, 1, 5, 100, 0)) {
      nanos += after;
      taken.add(limit.take());
    }
    assertEquals(List.of(true, false, false, true, false, true, false), taken);
  }
}
