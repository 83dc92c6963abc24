// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeeperStateTest {

  @Test
  void readsAFullObject() throws Exception {
    String json =
        MockKeeper.stateJson(
            7,
            JvmState.LEASED,
            "jvm_pid",
            8,
            "fingerprint",
            "ab",
            "main_class",
            "Main",
            "run",
            3,
            "runs_ok",
            2,
            "client_pid",
            9,
            "client_pgid",
            10,
            "client_sid",
            11,
            "lease_cpu_us",
            17,
            "tenant",
            "alice",
            "container_id",
            "container_1",
            "since_ms",
            12,
            "idle_ms",
            null,
            "started_ms",
            13,
            "age_ms",
            18,
            "reset_us_last",
            14,
            "lease_us_last",
            15,
            "retire_reason",
            null,
            "rss_kb",
            16,
            "held_kb",
            5,
            "of_a_later_version",
            true);
    KeeperState state = KeeperState.parse(json);
    assertEquals(
        new KeeperState(
            7,
            JvmState.LEASED,
            json,
            8L,
            "ab",
            "Main",
            3L,
            2L,
            9L,
            10L,
            11L,
            17L,
            "alice",
            "container_1",
            12L,
            null,
            13L,
            18L,
            14L,
            15L,
            null,
            16L,
            5L),
        state);
  }

  @Test
  void unknownValuesAreNull() throws Exception {
    KeeperState state = KeeperState.parse(MockKeeper.stateJson(7, JvmState.STARTING));
    assertNull(state.jvmPid());
    assertNull(state.containerId());
    assertNull(state.heldKb());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"version\":2,\"keeper_pid\":1,\"state\":\"IDLE\"}",
        "{\"version\":1,\"state\":\"IDLE\"}",
        "{\"version\":1,\"keeper_pid\":1}",
        "{\"version\":1,\"keeper_pid\":1,\"state\":\"SLEEPING\"}",
        "{\"version\":1,\"keeper_pid\":\"1\",\"state\":\"IDLE\"}",
        "{\"version\":1,\"keeper_pid\":1.5,\"state\":\"IDLE\"}",
        "{\"version\":1,\"keeper_pid\":1e300,\"state\":\"IDLE\"}",
        "{\"version\":1,\"keeper_pid\":1,\"state\":\"IDLE\",\"container_id\":5}"
      })
  void refusesWhatItCannotRelyOn(String json) {
    assertThrows(ProtocolException.class, () -> KeeperState.parse(json));
  }
}
