// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.cluster;

import io.hottub.protocol.Json;
import io.hottub.protocol.ProtocolException;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a node tells the cluster of its pool.
 *
 * @param release version of HotTub
 * @param maxJvms how many pooled JVMs it may have
 * @param drained whether all its runs are cold, by the cluster's switch or its own operator's
 * @param fingerprints those that have JVMs or are drained
 */
public record NodeRecord(
    String release, int maxJvms, boolean drained, SortedMap<String, Jvms> fingerprints) {

  /**
   * The JVMs of one fingerprint.
   *
   * @param other those that start, are reset, or end
   */
  public record Jvms(int idle, int leased, int other, boolean drained) {
    /** Both together. */
    public Jvms plus(Jvms more) {
      return new Jvms(
          idle + more.idle, leased + more.leased, other + more.other, drained || more.drained);
    }

    private String json() {
      return "{\"idle\":%d,\"leased\":%d,\"other\":%d,\"drained\":%b}"
          .formatted(idle, leased, other, drained);
    }
  }

  static NodeRecord parse(String json) throws ProtocolException {
    Map<String, Object> members = Json.parseObject(json);
    Names.checkVersion(members);
    SortedMap<String, Jvms> fingerprints = new TreeMap<>();
    for (Map.Entry<String, Object> entry : object(members.get("fingerprints")).entrySet()) {
      if (!Names.isFingerprint(entry.getKey())) {
        throw new ProtocolException("a wrong name in fingerprints");
      }
      Map<String, Object> jvms = object(entry.getValue());
      fingerprints.put(
          entry.getKey(),
          new Jvms(
              (int) Names.number(jvms, "idle"),
              (int) Names.number(jvms, "leased"),
              (int) Names.number(jvms, "other"),
              Names.flag(jvms, "drained")));
    }
    return new NodeRecord(
        members.get("release") instanceof String release ? release : "unknown",
        (int) Names.number(members, "max_jvms"),
        Names.flag(members, "drained"),
        fingerprints);
  }

  @SuppressWarnings("unchecked") // members of JSON objects have no other names
  private static Map<String, Object> object(Object value) throws ProtocolException {
    if (value instanceof Map<?, ?> map) {
      return (Map<String, Object>) map;
    }
    throw new ProtocolException("fingerprints are missing or not an object of objects");
  }

  String json() {
    String jvms =
        fingerprints.entrySet().stream()
            .map(entry -> '"' + entry.getKey() + "\":" + entry.getValue().json())
            .collect(Collectors.joining(",", "{", "}"));
    return "{\"version\":1,\"release\":\"%s\",\"max_jvms\":%d,\"drained\":%b,\"fingerprints\":%s}"
        .formatted(release.replaceAll("[^\\w.-]", "_"), maxJvms, drained, jvms);
  }
}
