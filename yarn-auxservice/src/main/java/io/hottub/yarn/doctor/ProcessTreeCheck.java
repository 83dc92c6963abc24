// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.doctor;

import io.hottub.protocol.doctor.Check;
import io.hottub.protocol.doctor.Finding;
import io.hottub.yarn.HotTubProcessTree;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Whether leased JVMs are charged to their containers. */
final class ProcessTreeCheck implements Check {
  private static final String NAME = YarnConfiguration.NM_CONTAINER_MON_PROCESS_TREE;
  private static final String OURS = HotTubProcessTree.class.getName();

  private final Configuration conf;

  ProcessTreeCheck(Configuration conf) {
    this.conf = conf;
  }

  @Override
  public String name() {
    return "process-tree";
  }

  @Override
  public String right() {
    return "`" + NAME + "` is HotTub's, so that leased JVMs are charged to their containers";
  }

  @Override
  public Finding look() {
    return conf.getTrimmed(NAME, "").equals(OURS)
        ? Finding.ok("leased JVMs are charged to their containers")
        : Finding.failed(
            "leased JVMs are charged to nobody: %s is not %s".formatted(NAME, OURS),
            "set it and restart the NodeManager");
  }
}
