// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class RunTraceTest {
  @Test
  void aRunInThePool() throws Exception {
    assertEquals(
        new RunTrace(true, null, 7L, "ab", 2L),
        RunTrace.parse(
            "{\"served\":\"pool\",\"reason\":null,\"jvm_pid\":7,\"lease_us\":900,"
                + "\"decided_us\":300,\"fingerprint\":\"ab\",\"run\":2}"));
  }

  @Test
  void aColdRun() throws Exception {
    assertEquals(
        new RunTrace(false, "agent", null, null, null),
        RunTrace.parse(
            "{\"served\":\"cold\",\"reason\":\"agent\",\"jvm_pid\":null,\"run\":null,"
                + "\"fingerprint\":null}"));
  }

  @Test
  void aLineThatIsNotWholeYet() {
    assertThrows(ProtocolException.class, () -> RunTrace.parse("{\"served\":\"po"));
  }
}
