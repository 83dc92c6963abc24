// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.protocol.Reasons;
import io.hottub.protocol.Reasons.Kind;
import io.hottub.protocol.Reasons.Reason;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The table of reasons holds what the service says, and nothing else. */
class RetireReasonTest {
  @Test
  void theTableHasEveryReasonOfTheService() {
    Set<String> declared = new TreeSet<>();
    Reasons.of(Kind.RETIRED_BY_SERVICE).stream().map(Reason::word).forEach(declared::add);
    Set<String> given = new TreeSet<>(Set.of("unseen")); // by PoolMetrics, for who left no word
    for (RetireReason reason : RetireReason.values()) {
      given.add(reason.label());
    }
    assertEquals(declared, given);
  }

  @Test
  void theTableHasTheWordThatTheServiceReplacesByItsOwn() {
    assertTrue(Reasons.of(Kind.RETIRED, "asked").isPresent());
  }
}
