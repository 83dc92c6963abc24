// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.pool;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.api.records.ContainerId;

/** Memory that YARN has promised to the containers of this node. */
public final class AllocatedMemory {
  private final Map<ContainerId, Long> containers = new ConcurrentHashMap<>();
  private final long nodeBytes;

  /**
   * @param nodeBytes what YARN may promise in all
   */
  public AllocatedMemory(long nodeBytes) {
    this.nodeBytes = nodeBytes;
  }

  public void started(ContainerId container, long bytes) {
    containers.put(container, bytes);
  }

  public void stopped(ContainerId container) {
    containers.remove(container);
  }

  /** What is not promised to anybody. */
  public long freeBytes() {
    long allocated = containers.values().stream().mapToLong(Long::longValue).sum();
    return Math.max(0, nodeBytes - allocated);
  }
}
