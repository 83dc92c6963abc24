// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class RunTraceTest {
  @Test
  void aRunInThePool() throws Exception {
    assertEquals(
        new RunTrace(true, null, 7L, "ab", 2L, Isolation.REUSE, true),
        RunTrace.parse(
            "{\"served\":\"pool\",\"reason\":null,\"jvm_pid\":7,\"lease_us\":900,"
                + "\"decided_us\":300,\"fingerprint\":\"ab\",\"isolation\":\"reuse\",\"warm\":true,"
                + "\"run\":2}"));
  }

  @Test
  void aColdRun() throws Exception {
    assertEquals(
        new RunTrace(false, "agent", null, null, null, null, false),
        RunTrace.parse(
            "{\"served\":\"cold\",\"reason\":\"agent\",\"jvm_pid\":null,\"run\":null,"
                + "\"fingerprint\":null,\"isolation\":null,\"warm\":false}"));
  }

  @Test
  void theFirstRunOfACloneIsWarm() throws Exception {
    assertEquals(
        new RunTrace(true, null, 7L, "ab", 1L, Isolation.CLONE, true),
        RunTrace.parse(
            "{\"served\":\"pool\",\"jvm_pid\":7,\"fingerprint\":\"ab\",\"isolation\":\"clone\","
                + "\"warm\":true,\"run\":1}"));
  }

  @Test
  void inLinesOfOlderClientsTheNumberOfTheRunTells() throws Exception {
    String line = "{\"served\":\"pool\",\"jvm_pid\":7,\"fingerprint\":\"ab\",\"run\":%d}";
    assertEquals(
        new RunTrace(true, null, 7L, "ab", 1L, null, false), RunTrace.parse(line.formatted(1)));
    assertEquals(
        new RunTrace(true, null, 7L, "ab", 2L, null, true), RunTrace.parse(line.formatted(2)));
  }

  @Test
  void aLineThatIsNotWholeYet() {
    assertThrows(ProtocolException.class, () -> RunTrace.parse("{\"served\":\"po"));
  }
}
