// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.yarn;

import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.YarnNode;

/** With the default container executor. */
@NeedsHome
class KillsIT extends ContainerKills {
  @Override
  void configure(YarnNode node) {}
}
