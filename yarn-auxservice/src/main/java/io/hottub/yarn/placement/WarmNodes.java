// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.placement;

import io.hottub.yarn.cluster.NodeRecord;
import io.hottub.yarn.cluster.Task;
import io.hottub.yarn.pool.Remembered;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.api.records.NodeId;

/**
 * The nodes on which warm JVMs are idle, by the tasks that they serve. A template stands for as
 * many as the node has room for: each run gets a clone of it.
 */
final class WarmNodes {
  private static final int MAX_FINGERPRINTS = 10_000;

  private final Duration forget;
  private final LongSupplier nanoTime;

  /** Of all fingerprints ever seen: a node need not know what another has served. */
  private final Map<String, Task> tasks = Remembered.atMost(MAX_FINGERPRINTS);

  private Map<String, Known> known = Map.of();
  private volatile Map<Task, Map<NodeId, WarmNode>> byTask = Map.of();

  /** A node, for as long as its record is the same. */
  private record Known(NodeRecord record, NodeId id, Map<Task, WarmNode> warm) {}

  /**
   * @param forget how long a container may take to show in the record of its node
   * @param nanoTime as {@link System#nanoTime}
   */
  WarmNodes(Duration forget, LongSupplier nanoTime) {
    this.forget = forget;
    this.nanoTime = nanoTime;
  }

  /** Those for a task; for use by any thread. */
  Map<NodeId, WarmNode> serving(Task task) {
    return byTask.getOrDefault(task, Map.of());
  }

  /** How many nodes serve a task. */
  int count() {
    return (int) byTask.values().stream().flatMap(n -> n.keySet().stream()).distinct().count();
  }

  /**
   * Takes over what the cluster view tells. Not for use by two threads.
   *
   * @param records by name
   * @param nodes that YARN has
   */
  void update(Map<String, NodeRecord> records, Collection<NodeId> nodes) {
    Map<String, NodeId> ids = new HashMap<>();
    for (NodeId node : nodes) {
      ids.put(node.toString(), node);
      ids.put(node.getHost(), node);
    }
    records.values().forEach(this::learn);
    Map<String, Known> now = new HashMap<>();
    Map<Task, Map<NodeId, WarmNode>> index = new HashMap<>();
    records.forEach(
        (name, record) -> {
          NodeId id = ids.get(record.yarnNode());
          if (id != null && !record.drained()) {
            Known node = new Known(record, id, warm(record, id, known.get(name)));
            now.put(name, node);
            node.warm.forEach(
                (task, warm) -> index.computeIfAbsent(task, t -> new HashMap<>()).put(id, warm));
          }
        });
    known = now;
    byTask = index;
  }

  private void learn(NodeRecord record) {
    record
        .fingerprints()
        .forEach(
            (fingerprint, jvms) -> {
              if (jvms.task() != null) {
                tasks.put(fingerprint, jvms.task());
              }
            });
  }

  private Map<Task, WarmNode> warm(NodeRecord record, NodeId id, Known before) {
    Map<Task, Integer> idle = new HashMap<>();
    record
        .fingerprints()
        .forEach(
            (fingerprint, jvms) -> {
              Task task = tasks.get(fingerprint);
              int count = jvms.idle() + (jvms.templates() > 0 ? record.room() : 0);
              if (task != null && !jvms.drained() && count > 0) {
                idle.merge(task, count, Integer::sum);
              }
            });
    boolean same = before != null && before.record.equals(record) && before.id.equals(id);
    Map<Task, WarmNode> warm = new HashMap<>();
    idle.forEach(
        (task, count) -> {
          WarmNode last = same ? before.warm.get(task) : null;
          warm.put(task, last == null ? new WarmNode(id, count, forget, nanoTime) : last);
        });
    return warm;
  }
}
