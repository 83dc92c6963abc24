// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it;

import io.hottub.it.jvm.NeedsHome;

/** With the default container executor. */
@NeedsHome
class KillsIT extends ContainerKills {
  @Override
  void configure(YarnNode node) {}
}
