// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.doctor;

import io.hottub.protocol.doctor.Check;
import io.hottub.protocol.doctor.Finding;
import io.hottub.yarn.config.HotTubConfig;
import io.hottub.yarn.pool.PolicyLimits;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.util.NodeManagerHardwareUtils;

/** Whether the limits of the pool agree with each other and with the memory of the machine. */
final class LimitsCheck implements Check {
  private final Configuration conf;
  private final long machineMb;

  /**
   * @param machineMb memory of the machine, MiB
   */
  LimitsCheck(Configuration conf, long machineMb) {
    this.conf = conf;
    this.machineMb = machineMb;
  }

  @Override
  public String name() {
    return "limits";
  }

  @Override
  public String right() {
    return "The limits do not contradict each other, and what YARN gives to containers with what idle"
        + " JVMs may hold (unless `yield-to-containers`) is not more than the machine has";
  }

  @Override
  public Finding look() {
    PolicyLimits limits = PolicyLimits.read(conf);
    List<String> contradictions = limits.contradictions();
    if (!contradictions.isEmpty()) {
      return Finding.warning(
          String.join("; ", contradictions), "correct them, then restart the NodeManager");
    }
    if (limits.shared().maxJvms() == 0) {
      return Finding.warning(
          HotTubConfig.MAX_JVMS.name() + " is 0: pooling is off", "take it away to pool runs");
    }
    long containersMb = NodeManagerHardwareUtils.getContainerMemoryMB(conf);
    int idleMb = limits.shared().idleMemoryMb();
    boolean yields = HotTubConfig.YIELD_TO_CONTAINERS.read(conf);
    String sum =
        "containers %d MiB, idle JVMs %d MiB%s, the machine %d MiB"
            .formatted(containersMb, idleMb, yields ? " of these" : "", machineMb);
    return containersMb + (yields ? 0 : idleMb) <= machineMb
        ? Finding.ok(sum)
        : Finding.warning(
            "more memory is promised than there is: " + sum,
            "take the memory of idle JVMs off %s, set %s, or set %s to true"
                .formatted(
                    YarnConfiguration.NM_PMEM_MB,
                    HotTubConfig.IDLE_MEMORY_MB.name(),
                    HotTubConfig.YIELD_TO_CONTAINERS.name()));
  }
}
