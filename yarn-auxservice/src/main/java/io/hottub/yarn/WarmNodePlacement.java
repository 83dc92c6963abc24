// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import io.hottub.yarn.cluster.Task;
import io.hottub.yarn.placement.WarmNodesService;
import io.hottub.yarn.placement.WarmPreference;
import java.util.Collection;
import java.util.Optional;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.activities.DiagnosticsCollector;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ContainerRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.LocalityAppPlacementAllocator;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.PendingAskUpdateResult;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the CapacityScheduler prefer nodes with warm JVMs: for the setting {@code
 * yarn.scheduler.app-placement-allocator.class} of the ResourceManager. There is one for all
 * containers that an application asks for with the same priority. Where the application names
 * places itself, and whatever goes wrong here, everything is as with YARN's own.
 */
public final class WarmNodePlacement extends LocalityAppPlacementAllocator<SchedulerNode> {
  private static final Logger LOG = LoggerFactory.getLogger(WarmNodePlacement.class);

  /** Null: nothing is preferred, as for application masters. */
  private WarmNodesService service;

  private WarmPreference preference;

  @Override
  public void initialize(AppSchedulingInfo info, SchedulerRequestKey key, RMContext context) {
    super.initialize(info, key, context);
    try {
      // No lock is taken here but those that the scheduler takes in its turn.
      if (context.getScheduler() instanceof CapacityScheduler scheduler
          && !scheduler
              .getApplicationAttempt(info.getApplicationAttemptId())
              .isWaitingForAMContainer()) {
        WarmNodesService started = WarmNodesService.of(context);
        preference = started.preference();
        service = started;
      }
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("No node is preferred for {}", info.getApplicationId(), e);
    }
  }

  @Override
  public PendingAskUpdateResult updatePendingAsk(
      Collection<ResourceRequest> requests, boolean recoverPreempted) {
    boolean hadAll = getOutstandingAsksCount(ResourceRequest.ANY) == 0;
    PendingAskUpdateResult result = super.updatePendingAsk(requests, recoverPreempted);
    if (hadAll && service != null) {
      preference.begin();
    }
    return result;
  }

  @Override
  public boolean precheckNode(
      SchedulerNode node, SchedulingMode mode, Optional<DiagnosticsCollector> diagnostics) {
    return super.precheckNode(node, mode, diagnostics) && !declines(node);
  }

  private boolean declines(SchedulerNode node) {
    if (service == null) {
      return false;
    }
    try {
      PendingAsk ask = getPendingAsk(ResourceRequest.ANY);
      return namesNoPlaces()
          && preference.declines(
              service.serving(task(ask)),
              node.getNodeID(),
              ask.getCount(),
              id -> room(id, node, ask.getPerAllocationResource()));
    } catch (RuntimeException | LinkageError e) {
      service.failed(e);
      return false;
    }
  }

  private boolean namesNoPlaces() {
    return getUniqueLocationAsks() == 1 && canDelayTo(ResourceRequest.ANY);
  }

  private Task task(PendingAsk ask) {
    return new Task(appSchedulingInfo.getUser(), ask.getPerAllocationResource().getMemorySize());
  }

  /** For how many containers a node has room; none where they may not come to be placed. */
  private int room(NodeId id, SchedulerNode offered, Resource size) {
    SchedulerNode node = rmContext.getScheduler().getSchedulerNode(id);
    if (node == null
        || node.getReservedContainer() != null
        || Time.monotonicNow() - node.getLastHeartbeatMonotonicTime() > service.longestWaitMs()
        || !node.getPartition().equals(offered.getPartition())
        || appSchedulingInfo.isPlaceBlacklisted(node.getNodeName(), false)) {
      return 0;
    }
    long count =
        rmContext
            .getScheduler()
            .getResourceCalculator()
            .computeAvailableContainers(node.getUnallocatedResource(), size);
    return Math.toIntExact(Math.max(0, Math.min(Integer.MAX_VALUE, count)));
  }

  @Override
  public ContainerRequest allocate(SchedulerRequestKey key, NodeType type, SchedulerNode node) {
    PendingAsk ask = getPendingAsk(ResourceRequest.ANY);
    ContainerRequest allocated = super.allocate(key, type, node);
    if (service != null) {
      try {
        service.placed(task(ask), node.getNodeID());
      } catch (RuntimeException | LinkageError e) {
        service.failed(e);
      }
    }
    return allocated;
  }
}
