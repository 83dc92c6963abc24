// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.yarn;

import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.YarnNode;
import org.junit.jupiter.api.Tag;

/** With the Linux container executor, on the stand-in for its native part. */
@NeedsHome
@Tag("long")
class LinuxKillsIT extends ContainerKills {
  @Override
  void configure(YarnNode node) {
    node.useLinuxContainerExecutor();
  }
}
