// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.cluster;

import io.hottub.protocol.Json;
import io.hottub.protocol.ProtocolException;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What is to run cold, cluster-wide.
 *
 * @param off everything
 * @param nodes all runs on these nodes
 * @param fingerprints runs of these fingerprints, on all nodes
 */
record ClusterSwitch(boolean off, SortedSet<String> nodes, SortedSet<String> fingerprints) {
  /** As long as nobody has switched or drained anything. */
  static final ClusterSwitch ALL_ON = new ClusterSwitch(false, new TreeSet<>(), new TreeSet<>());

  static ClusterSwitch parse(String json) throws ProtocolException {
    Map<String, Object> members = Json.parseObject(json);
    Names.checkVersion(members);
    return new ClusterSwitch(
        Names.flag(members, "off"),
        Names.set(members, "nodes", Names::isNode),
        Names.set(members, "fingerprints", Names::isFingerprint));
  }

  String json() {
    return "{\"version\":1,\"off\":%b,\"nodes\":%s,\"fingerprints\":%s}"
        .formatted(off, Names.json(nodes), Names.json(fingerprints));
  }

  boolean closes(String node) {
    return off || nodes.contains(node);
  }

  ClusterSwitch withOff(boolean newOff) {
    return new ClusterSwitch(newOff, nodes, fingerprints);
  }

  ClusterSwitch withNodes(Set<String> names, boolean drained) {
    return new ClusterSwitch(off, changed(nodes, names, drained), fingerprints);
  }

  ClusterSwitch withFingerprints(Set<String> names, boolean drained) {
    return new ClusterSwitch(off, nodes, changed(fingerprints, names, drained));
  }

  private static SortedSet<String> changed(Set<String> before, Set<String> names, boolean add) {
    SortedSet<String> after = new TreeSet<>(before);
    if (add) {
      after.addAll(names);
    } else {
      after.removeAll(names);
    }
    return after;
  }
}
