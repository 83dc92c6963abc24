// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NodeBase;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.RMContextImpl;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeImpl;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceUsage;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.junit.jupiter.api.Test;

/** What it does in a real ResourceManager, LocalityIT tells. */
class WarmNodePlacementTest {
  private static final ApplicationAttemptId ATTEMPT =
      ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1);
  private static final Resource SIZE = Resource.newInstance(1024, 1);

  @Test
  void whereItFailsEverythingIsAsWithYarnsOwn() {
    RMContextImpl context = new RMContextImpl();
    context.setYarnConfiguration(new Configuration(false));
    CapacityScheduler broken = new CapacityScheduler();
    assertThrows(RuntimeException.class, () -> broken.getApplicationAttempt(ATTEMPT));
    context.setScheduler(broken);
    ResourceRequest ask =
        ResourceRequest.newInstance(Priority.newInstance(1), ResourceRequest.ANY, SIZE, 2);
    SchedulerRequestKey key = SchedulerRequestKey.create(ask);
    AppSchedulingInfo info =
        new AppSchedulingInfo(
            ATTEMPT, "alice", null, null, 0, new ResourceUsage(), Map.of(), context, false);
    SchedulerNode node =
        new FiCaSchedulerNode(
            new RMNodeImpl(
                NodeId.newInstance("a.example", 1),
                context,
                "a.example",
                1,
                2,
                new NodeBase("/rack/a.example"),
                Resource.newInstance(4096, 4),
                "1"),
            false);

    WarmNodePlacement placement = new WarmNodePlacement();
    placement.initialize(info, key, context);
    placement.updatePendingAsk(List.of(ask), false);
    assertTrue(
        placement.precheckNode(
            node, SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY, Optional.empty()));
    assertEquals(2, placement.getOutstandingAsksCount(ResourceRequest.ANY));
  }
}
