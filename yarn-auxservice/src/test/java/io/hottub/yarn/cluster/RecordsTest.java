// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.protocol.ProtocolException;
import io.hottub.yarn.cluster.NodeRecord.Jvms;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is in ZooKeeper: anybody may have written it. */
class RecordsTest {
  private static final String FP = "a".repeat(32);

  @Test
  void aNodeIsReadAsItWasWritten() throws Exception {
    NodeRecord record =
        new NodeRecord(
            "1.0-x", 16, true, "h:1", new TreeMap<>(Map.of(FP, new Jvms(3, 2, 4, 1, true))));
    assertEquals(record, NodeRecord.parse(record.json()));
    assertEquals(
        "{\"version\":1,\"release\":\"1.0-x\",\"max_jvms\":16,\"drained\":true,\"yarn_node\":\"h:1\","
            + "\"fingerprints\":{\""
            + FP
            + "\":{\"idle\":3,\"leased\":2,\"templates\":4,\"other\":1,\"drained\":true}}}",
        record.json());
  }

  @Test
  void aNodeTellsWhatItsJvmsHaveServed() throws Exception {
    Jvms jvms = new Jvms(1, 0, 0, 0, false, new Task("alice", 640));
    NodeRecord record = new NodeRecord("1.0", 16, false, "h:1", new TreeMap<>(Map.of(FP, jvms)));
    assertEquals(record, NodeRecord.parse(record.json()));
    assertTrue(
        record.json().contains("\"drained\":false,\"user\":\"alice\",\"memory_mb\":640}"),
        record.json());
  }

  @Test
  void aNodeOfAnOlderVersionIsRead() throws Exception {
    String json =
        "{\"version\":1,\"release\":\"1\",\"max_jvms\":1,\"drained\":true,\"fingerprints\":{\""
            + FP
            + "\":{\"idle\":3,\"leased\":2,\"other\":1,\"drained\":true}}}";
    assertEquals(
        new NodeRecord("1", 1, true, "", new TreeMap<>(Map.of(FP, new Jvms(3, 2, 0, 1, true)))),
        NodeRecord.parse(json));
  }

  @Test
  void theSwitchIsReadAsItWasWritten() throws Exception {
    ClusterSwitch state =
        ClusterSwitch.ALL_ON
            .withOff(true)
            .withNodes(Set.of("b:1", "a.example:2"), true)
            .withFingerprints(Set.of(FP), true);
    assertEquals(state, ClusterSwitch.parse(state.json()));
    assertEquals(
        "{\"version\":1,\"off\":true,\"nodes\":[\"a.example:2\",\"b:1\"],\"fingerprints\":[\""
            + FP
            + "\"]}",
        state.json());
  }

  @Test
  void whatIsDrainedIsTakenBack() {
    ClusterSwitch state = ClusterSwitch.ALL_ON.withNodes(Set.of("a", "b"), true);
    assertTrue(state.closes("a"));
    assertFalse(state.closes("c"));
    assertTrue(state.withOff(true).closes("c"));
    assertFalse(state.withNodes(Set.of("a"), false).closes("a"));
    assertEquals(
        state, state.withFingerprints(Set.of(FP), true).withFingerprints(Set.of(FP), false));
  }

  @Test
  void whatANewerVersionAddsIsIgnored() throws Exception {
    String json = ClusterSwitch.ALL_ON.json();
    assertEquals(ClusterSwitch.ALL_ON, ClusterSwitch.parse(json.replace("{", "{\"new\":[{}],")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "off",
        "[]",
        "{}",
        "{\"version\":2,\"off\":true,\"nodes\":[],\"fingerprints\":[]}",
        "{\"version\":1,\"off\":\"true\",\"nodes\":[],\"fingerprints\":[]}",
        "{\"version\":1,\"off\":true,\"nodes\":\"a\",\"fingerprints\":[]}",
        "{\"version\":1,\"off\":true,\"nodes\":[\"a/b\"],\"fingerprints\":[]}",
        "{\"version\":1,\"off\":true,\"nodes\":[7],\"fingerprints\":[]}",
        "{\"version\":1,\"off\":true,\"nodes\":[],\"fingerprints\":[\"../x\"]}",
        "{\"version\":1,\"off\":true,\"nodes\":[]}",
      })
  void aMalformedSwitchIsRefused(String json) {
    assertThrows(ProtocolException.class, () -> ClusterSwitch.parse(json));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"version\":1}",
        "{\"version\":1,\"max_jvms\":1,\"drained\":true,\"fingerprints\":[]}",
        "{\"version\":1,\"max_jvms\":1,\"drained\":true,\"fingerprints\":{\"x\":{}}}",
        "{\"version\":1,\"max_jvms\":\"1\",\"drained\":true,\"fingerprints\":{}}",
        "{\"version\":1,\"max_jvms\":1,\"drained\":true,\"fingerprints\":"
            + "{\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\":{\"idle\":1,\"leased\":0,\"other\":0,"
            + "\"drained\":false,\"user\":\"alice\"}}}",
      })
  void aMalformedNodeIsRefused(String json) {
    assertThrows(ProtocolException.class, () -> NodeRecord.parse(json));
  }
}
