// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.doctor;

import io.hottub.protocol.doctor.Check;
import io.hottub.protocol.doctor.Finding;
import io.hottub.yarn.config.HotTubConfig;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Whether containers are routed into the pool, and their leases revoked. */
final class ExecutorCheck implements Check {
  private final Configuration conf;
  private final NodeSettings settings;

  ExecutorCheck(Configuration conf) {
    this.conf = conf;
    this.settings = new NodeSettings(conf);
  }

  @Override
  public String name() {
    return "executor";
  }

  @Override
  public String right() {
    return "The container executor is HotTub's, of the kind that was there before, and `home` says"
        + " to which HotTub home it routes containers";
  }

  @Override
  public Finding look() {
    String executor = settings.executor();
    if (!settings.hasOurExecutor()) {
      String ours =
          settings.hasLinuxExecutor() ? NodeSettings.OUR_LINUX_EXECUTOR : NodeSettings.OUR_EXECUTOR;
      return Finding.failed(
          "containers are not routed: the container executor is " + executor,
          "set %s to %s and restart the NodeManager"
              .formatted(YarnConfiguration.NM_CONTAINER_EXECUTOR, ours));
    }
    return HotTubConfig.HOME.read(conf).isPresent()
        ? Finding.ok("containers that ask for it are routed by " + executor)
        : Finding.failed(
            "containers are not routed: %s says nothing".formatted(HotTubConfig.HOME.name()),
            "set it to the folder home of the installation and restart the NodeManager");
  }
}
