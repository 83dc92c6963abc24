// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.api.records.ContainerId;

/** Memory that YARN has promised to the containers of this node. */
final class AllocatedMemory {
  private final Map<ContainerId, Long> containers = new ConcurrentHashMap<>();
  private final long nodeBytes;

  /**
   * @param nodeBytes what YARN may promise in all
   */
  AllocatedMemory(long nodeBytes) {
    this.nodeBytes = nodeBytes;
  }

  void started(ContainerId container, long bytes) {
    containers.put(container, bytes);
  }

  void stopped(ContainerId container) {
    containers.remove(container);
  }

  /** What is not promised to anybody. */
  long freeBytes() {
    long allocated = containers.values().stream().mapToLong(Long::longValue).sum();
    return Math.max(0, nodeBytes - allocated);
  }
}
