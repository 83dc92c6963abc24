// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.AMRMClient;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.NMClient;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.client.api.YarnClientApplication;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * An application whose master is the test itself, outside of the cluster: it starts containers and
 * ends them in every way that a master has, and hears from the ResourceManager how each has ended.
 */
public final class Master implements AutoCloseable {
  private final YarnClient client;
  private final ApplicationId id;
  private final AMRMClient<ContainerRequest> resourceManager = AMRMClient.createAMRMClient();
  private final NMClient nodeManager = NMClient.createNMClient();
  private final Queue<Container> allocated = new ArrayDeque<>();
  private final Map<ContainerId, NodeId> nodes = new HashMap<>();
  private final Map<ContainerId, ContainerStatus> ended = new HashMap<>();

  public Master(YarnNode node, String queue) throws Exception {
    this.client = node.client();
    YarnClientApplication application = client.createApplication();
    ApplicationSubmissionContext context = application.getApplicationSubmissionContext();
    id = context.getApplicationId();
    context.setApplicationName("master");
    context.setQueue(queue);
    context.setUnmanagedAM(true);
    context.setMaxAppAttempts(1);
    context.setResource(Resource.newInstance(128, 1));
    context.setAMContainerSpec(
        ContainerLaunchContext.newInstance(Map.of(), Map.of(), List.of(), null, null, null));
    client.submitApplication(context);
    Await.until("the application has a token", () -> client.getAMRMToken(id) != null);
    UserGroupInformation user =
        UserGroupInformation.createRemoteUser(
            UserGroupInformation.getCurrentUser().getShortUserName());
    user.addToken(client.getAMRMToken(id));
    resourceManager.init(node.conf());
    nodeManager.init(node.conf());
    nodeManager.setNMTokenCache(resourceManager.getNMTokenCache());
    // The test decides what becomes of its containers.
    nodeManager.cleanupRunningContainersOnStop(false);
    nodeManager.start();
    user.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              resourceManager.start();
              resourceManager.registerApplicationMaster("127.0.0.1", 0, "");
              return null;
            });
  }

  /** Starts a container on the only node; all of one master have to have the same size. */
  public ContainerId start(
      int memoryMb,
      Map<String, String> environment,
      Map<String, LocalResource> files,
      String command)
      throws Exception {
    Container container = place(memoryMb);
    nodes.put(container.getId(), container.getNodeId());
    nodeManager.startContainer(
        container,
        ContainerLaunchContext.newInstance(files, environment, List.of(command), null, null, null));
    return container.getId();
  }

  /** Asks for a container and waits for its place; it is not started. */
  public Container place(int memoryMb) throws Exception {
    ask(memoryMb);
    Await.until("a container is allocated", () -> hear() && !allocated.isEmpty());
    return allocated.remove();
  }

  /** Asks for a container that may never come. */
  public void ask(int memoryMb) throws Exception {
    Resource size = Resource.newInstance(memoryMb, 1);
    resourceManager.addContainerRequest(
        new ContainerRequest(size, null, null, Priority.newInstance(1)));
    hear();
  }

  private boolean hear() throws Exception {
    var response = resourceManager.allocate(0);
    for (Container container : response.getAllocatedContainers()) {
      allocated.add(container);
      // Otherwise the next call asks for it once more.
      resourceManager
          .getMatchingRequests(Priority.newInstance(1), "*", container.getResource())
          .stream()
          .flatMap(requests -> requests.stream())
          .findFirst()
          .ifPresent(resourceManager::removeContainerRequest);
    }
    response.getCompletedContainersStatuses().forEach(s -> ended.put(s.getContainerId(), s));
    return true;
  }

  /** Waits for the ResourceManager's word that a container has ended. */
  public ContainerStatus awaitEnd(ContainerId container) throws Exception {
    Await.until(container + " ends", () -> hear() && ended.containsKey(container));
    return ended.get(container);
  }

  /** Has the NodeManager stop a container. */
  public void stop(ContainerId container) throws Exception {
    nodeManager.stopContainer(container, nodes.get(container));
  }

  /** Gives a container back to the ResourceManager, which has it stopped. */
  public void release(ContainerId container) throws Exception {
    resourceManager.releaseAssignedContainer(container);
    hear();
  }

  /** Kills the application as its user does. */
  public void kill() throws Exception {
    client.killApplication(id);
  }

  @Override
  public void close() throws IOException, YarnException {
    try {
      resourceManager.unregisterApplicationMaster(FinalApplicationStatus.SUCCEEDED, "", "");
    } catch (IOException | YarnException e) {
      client.killApplication(id);
    }
    nodeManager.stop();
    resourceManager.stop();
  }
}
