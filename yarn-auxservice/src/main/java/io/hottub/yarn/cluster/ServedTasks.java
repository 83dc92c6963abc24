// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.cluster;

import io.hottub.protocol.JournalEntry;
import io.hottub.protocol.PoolDirectory;
import io.hottub.yarn.cluster.NodeRecord.Jvms;
import io.hottub.yarn.pool.PoolObserver;
import io.hottub.yarn.pool.PoolView;
import io.hottub.yarn.pool.PooledJvm;
import io.hottub.yarn.pool.Remembered;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.server.api.ContainerInitializationContext;
import org.apache.hadoop.yarn.server.api.ContainerType;

/**
 * Which tasks the JVMs of a fingerprint have served last: what the journal tells of runs, and YARN
 * of their containers.
 */
public final class ServedTasks implements PoolObserver {
  private static final int MAX_REMEMBERED = 10_000;
  private static final int FINGERPRINT_LENGTH = 32;

  /** The journal tells of a run soon after its container has begun. */
  private final Map<String, Task> containers = Remembered.atMost(MAX_REMEMBERED);

  private final Map<String, Task> fingerprints = Remembered.atMost(MAX_REMEMBERED);

  /** A container is about to start. */
  public synchronized void starts(ContainerInitializationContext container) {
    Task task = new Task(container.getUser(), container.getResource().getMemorySize());
    if (container.getContainerType() == ContainerType.TASK && task.isPublic()) {
      containers.put(container.getContainerId().toString(), task);
    }
  }

  @Override
  public synchronized void run(JournalEntry entry) {
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

  /** How many JVMs each fingerprint has, with what is known of their tasks. */
  public synchronized Map<String, Jvms> byFingerprint(PoolView view) {
    Map<String, Jvms> jvms =
        view.jvms().stream()
            .collect(
                Collectors.toMap(
                    jvm -> jvm.socket().fingerprintPrefix(), ServedTasks::counted, Jvms::plus));
    jvms.replaceAll((fingerprint, count) -> count.with(fingerprints.get(fingerprint)));
    return jvms;
  }

  private static Jvms counted(PooledJvm jvm) {
    return switch (jvm.state().state()) {
      case IDLE -> new Jvms(1, 0, 0, 0, false);
      case LEASED -> new Jvms(0, 1, 0, 0, false);
      case TEMPLATE -> new Jvms(0, 0, 1, 0, false);
      default -> new Jvms(0, 0, 0, 1, false);
    };
  }
}
