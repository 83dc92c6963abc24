// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.doctor;

import io.hottub.protocol.doctor.Check;
import io.hottub.protocol.doctor.Finding;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Whether anybody keeps containers to their memory. */
final class MemoryCheck implements Check {
  private static final String ENABLED = YarnConfiguration.NM_PMEM_CHECK_ENABLED;
  private static final String ENFORCED = YarnConfiguration.NM_MEMORY_RESOURCE_ENFORCED;

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
    return "Containers are kept to their memory: by the NodeManager (`%s` is true and `%s` false), or by control groups"
        .formatted(ENABLED, ENFORCED);
  }

  @Override
  public Finding look() {
    boolean enforcedElsewhere =
        conf.getBoolean(ENFORCED, YarnConfiguration.DEFAULT_NM_MEMORY_RESOURCE_ENFORCED);
    if (enforcedElsewhere && new NodeSettings(conf).hasMemoryLimits()) {
      return Finding.ok("control groups keep containers to their memory");
    }
    if (!enforcedElsewhere
        && conf.getBoolean(ENABLED, YarnConfiguration.DEFAULT_NM_PMEM_CHECK_ENABLED)) {
      return Finding.ok("the NodeManager keeps containers to their memory");
    }
    return Finding.warning(
        "nobody keeps containers to their memory, stock or pooled",
        "set %s to true and %s to false, then restart the NodeManager"
            .formatted(ENABLED, ENFORCED));
  }
}
