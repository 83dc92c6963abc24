// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import io.hottub.yarn.cluster.ClusterCommands;
import io.hottub.yarn.cluster.ClusterSettings;
import io.hottub.yarn.config.HotTubConfig;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Entry point of {@code hottub cluster}, which runs on the class path of {@code yarn}. */
public final class ClusterMain {
  private static final int FAILED = 111;

  private ClusterMain() {}

  public static void main(String[] args) {
    Optional<ClusterSettings> settings = ClusterSettings.read(new YarnConfiguration());
    if (settings.isEmpty()) {
      System.err.println("hottub: " + HotTubConfig.CLUSTER_CONNECT.name() + " is not set");
      System.exit(FAILED);
    }
    System.exit(new ClusterCommands(settings.get(), System.out, System.err).run(List.of(args)));
  }
}
