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
 * @param yarnNode its name for YARN: host:port, without the port where that changes with every
 *     NodeManager; empty if it is not known
 * @param fingerprints those that have JVMs or are drained
 */
public record NodeRecord(
    String release,
    int maxJvms,
    boolean drained,
    String yarnNode,
    SortedMap<String, Jvms> fingerprints) {

  /**
   * The JVMs of one fingerprint.
   *
   * @param templates which serve no run, but of which clones can be made for any number of them
   * @param other those that start, are reset, or end
   * @param task what they have served last; null if that is not known
   */
  public record Jvms(int idle, int leased, int templates, int other, boolean drained, Task task) {
    /** Of which it is not known what they have served. */
    public Jvms(int idle, int leased, int templates, int other, boolean drained) {
      this(idle, leased, templates, other, drained, null);
    }

    /** Both together. */
    public Jvms plus(Jvms more) {
      return new Jvms(
          idle + more.idle,
          leased + more.leased,
          templates + more.templates,
          other + more.other,
          drained || more.drained,
          more.task == null ? task : more.task);
    }

    int all() {
      return idle + leased + templates + other;
    }

    /** The same, having served this. */
    public Jvms with(Task served) {
      return new Jvms(idle, leased, templates, other, drained, served);
    }

    private String json() {
      return "{\"idle\":%d,\"leased\":%d,\"templates\":%d,\"other\":%d,\"drained\":%b%s}"
          .formatted(
              idle, leased, templates, other, drained, task == null ? "" : "," + task.json());
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
              // A node of an earlier version does not tell of them.
              jvms.containsKey("templates") ? (int) Names.number(jvms, "templates") : 0,
              (int) Names.number(jvms, "other"),
              Names.flag(jvms, "drained"),
              Task.parse(jvms)));
    }
    return new NodeRecord(
        members.get("release") instanceof String release ? release : "unknown",
        (int) Names.number(members, "max_jvms"),
        Names.flag(members, "drained"),
        members.get("yarn_node") instanceof String yarnNode ? yarnNode : "",
        fingerprints);
  }

  /** How many more JVMs the node may have. */
  public int room() {
    return Math.max(0, maxJvms - fingerprints.values().stream().mapToInt(Jvms::all).sum());
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
    return ("{\"version\":1,\"release\":\"%s\",\"max_jvms\":%d,\"drained\":%b,"
            + "\"yarn_node\":\"%s\",\"fingerprints\":%s}")
        .formatted(
            release.replaceAll("[^\\w.-]", "_"),
            maxJvms,
            drained,
            Names.isNode(yarnNode) ? yarnNode : "",
            jvms);
  }
}
