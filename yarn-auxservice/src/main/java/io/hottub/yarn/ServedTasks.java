// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import io.hottub.protocol.JournalEntry;
import io.hottub.protocol.PoolDirectory;
import io.hottub.yarn.cluster.NodeRecord.Jvms;
import io.hottub.yarn.cluster.Task;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.server.api.ContainerInitializationContext;
import org.apache.hadoop.yarn.server.api.ContainerType;

/**
 * Which tasks the JVMs of a fingerprint have served last: what the journal tells of runs, and YARN
 * of their containers.
 */
final class ServedTasks {
  private static final int MAX_REMEMBERED = 10_000;
  private static final int FINGERPRINT_LENGTH = 32;

  /** The journal tells of a run soon after its container has begun. */
  private final Map<String, Task> containers = Remembered.atMost(MAX_REMEMBERED);

  private final Map<String, Task> fingerprints = Remembered.atMost(MAX_REMEMBERED);

  /** A container is about to start. */
  synchronized void starts(ContainerInitializationContext container) {
    Task task = new Task(container.getUser(), container.getResource().getMemorySize());
    if (container.getContainerType() == ContainerType.TASK && task.isPublic()) {
      containers.put(container.getContainerId().toString(), task);
    }
  }

  /** The journal tells of a run. */
  synchronized void run(JournalEntry entry) {
    Task task = containers.get(entry.text("container_id"));
    String fingerprint = entry.text("fingerprint");
    if (task == null || fingerprint == null || !"pool".equals(entry.text("served"))) {
      return;
    }
    String name = fingerprint.substring(0, Math.min(FINGERPRINT_LENGTH, fingerprint.length()));
    if (PoolDirectory.isFingerprint(name)) {
      fingerprints.put(name, task);
    }
  }

  /** The same JVMs, with what is known of their tasks. */
  synchronized Map<String, Jvms> known(Map<String, Jvms> jvms) {
    return jvms.entrySet().stream()
        .collect(
            Collectors.toMap(
                Map.Entry::getKey, e -> e.getValue().with(fingerprints.get(e.getKey()))));
  }
}
