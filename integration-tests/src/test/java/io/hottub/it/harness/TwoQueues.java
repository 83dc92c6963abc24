// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import java.util.List;

/** Two queues of half the node each, that may borrow and have to give back within a second. */
public final class TwoQueues {
  private TwoQueues() {}

  /** Before the ResourceManager starts. The queues are {@code default} and {@code other}. */
  public static void set(YarnNode node) {
    node.set("yarn.scheduler.capacity.root.queues", "default,other");
    for (String queue : List.of("default", "other")) {
      node.set("yarn.scheduler.capacity.root." + queue + ".capacity", "50");
      node.set("yarn.scheduler.capacity.root." + queue + ".maximum-capacity", "100");
      node.set("yarn.scheduler.capacity.root." + queue + ".user-limit-factor", "4");
    }
    String preemption = "yarn.resourcemanager.monitor.capacity.preemption.";
    node.set("yarn.resourcemanager.scheduler.monitor.enable", "true");
    node.set(preemption + "monitoring_interval", "300");
    node.set(preemption + "max_wait_before_kill", "600");
    node.set(preemption + "total_preemption_per_round", "1.0");
    node.set(preemption + "natural_termination_factor", "1.0");
  }
}
