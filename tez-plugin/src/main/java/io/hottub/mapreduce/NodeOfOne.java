// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.mapreduce;

import java.util.Map;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptContainerAssignedEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocator;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocatorEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.RMHeartbeatHandler;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;

/** Stands for YARN: gives every task a container at once, which is the master's own process. */
final class NodeOfOne implements ContainerAllocator, RMHeartbeatHandler {
  static final String HOST = "localhost";

  /** Nobody connects to it. */
  static final int PORT = 1;

  private AppContext context;
  private int containers = 1;

  void use(AppContext context) {
    this.context = context;
  }

  @Override
  @SuppressWarnings("unchecked") // the handler is of no certain kind of events
  public void handle(ContainerAllocatorEvent event) {
    if (event.getType() == EventType.CONTAINER_REQ) {
      ContainerId id = ContainerId.newContainerId(context.getApplicationAttemptId(), ++containers);
      Container container =
          Container.newInstance(
              id,
              NodeId.newInstance(HOST, PORT),
              HOST + ":" + PORT,
              Resource.newInstance(1024, 1),
              Priority.newInstance(0),
              null);
      context
          .getEventHandler()
          .handle(new TaskAttemptContainerAssignedEvent(event.getAttemptID(), container, Map.of()));
    }
  }

  @Override
  public long getLastHeartbeatTime() {
    return context.getClock().getTime();
  }

  @Override
  public void runOnNextHeartbeat(Runnable callback) {
    callback.run();
  }
}
