// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.doctor;

import io.hottub.protocol.doctor.Check;
import io.hottub.protocol.doctor.Finding;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Whether anybody keeps containers to their memory, and not to their address space as well. */
final class MemoryCheck implements Check {
  private static final String ENABLED = YarnConfiguration.NM_PMEM_CHECK_ENABLED;
  private static final String ENFORCED = YarnConfiguration.NM_MEMORY_RESOURCE_ENFORCED;
  private static final String VIRTUAL = YarnConfiguration.NM_VMEM_CHECK_ENABLED;

  private final Configuration conf;

  MemoryCheck(Configuration conf) {
    this.conf = conf;
  }

  @Override
  public String name() {
    return "memory-check";
  }

  @Override
  public String right() {
    return "Containers are kept to their memory: by the NodeManager (`%s` is true, `%s` and `%s` false), or by control groups"
        .formatted(ENABLED, ENFORCED, VIRTUAL);
  }

  @Override
  public Finding look() {
    if (isCheckedByNodeManager()) {
      if (conf.getBoolean(VIRTUAL, YarnConfiguration.DEFAULT_NM_VMEM_CHECK_ENABLED)) {
        return Finding.warning(
            "the NodeManager kills containers for the address space that they reserve, stock or"
                + " pooled, and a JVM reserves more than it uses",
            "set %s to false, then restart the NodeManager".formatted(VIRTUAL));
      }
      if (conf.getBoolean(ENABLED, YarnConfiguration.DEFAULT_NM_PMEM_CHECK_ENABLED)) {
        return Finding.ok("the NodeManager keeps containers to their memory");
      }
    } else if (new NodeSettings(conf).hasMemoryLimits()) {
      return Finding.ok("control groups keep containers to their memory");
    }
    return Finding.warning(
        "nobody keeps containers to their memory, stock or pooled",
        "HotTub does not need it; for a check by the NodeManager set %s to true, %s and %s to false, then restart it"
            .formatted(ENABLED, ENFORCED, VIRTUAL));
  }

  /** As {@code ContainersMonitorImpl} decides it: by default it leaves all checks to others. */
  private boolean isCheckedByNodeManager() {
    return !conf.getBoolean(ENFORCED, YarnConfiguration.DEFAULT_NM_MEMORY_RESOURCE_ENFORCED)
        || conf.getBoolean(
            YarnConfiguration.NM_ELASTIC_MEMORY_CONTROL_ENABLED,
            YarnConfiguration.DEFAULT_NM_ELASTIC_MEMORY_CONTROL_ENABLED);
  }
}
