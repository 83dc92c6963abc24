// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import io.hottub.yarn.containers.ContainerHooks;
import io.hottub.yarn.web.NodePageInitializer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerSignalContext;

/**
 * The Linux container executor, for a node with a pool. It differs in the same two places as {@link
 * HotTubContainerExecutor}. The pool of a user other than the NodeManager's own is closed to it: a
 * SIGKILL to such a container ends the client, and the keeper, which sees that, revokes the lease.
 */
public final class HotTubLinuxContainerExecutor extends LinuxContainerExecutor {
  private final ContainerHooks hooks = new ContainerHooks();

  /** Before the web server is made of the same configuration. */
  @Override
  public void setConf(Configuration conf) {
    super.setConf(conf);
    NodePageInitializer.addTo(conf);
  }

  @Override
  public void init(Context context) throws IOException {
    super.init(context);
    hooks.activate(getConf());
  }

  @Override
  @SuppressWarnings("NonApiType") // YARN's signature
  public void writeLaunchEnv(
      OutputStream out,
      Map<String, String> environment,
      Map<Path, List<String>> resources,
      List<String> command,
      Path logDir,
      String user,
      String outFilename,
      LinkedHashSet<String> nmVars)
      throws IOException {
    super.writeLaunchEnv(
        out,
        hooks.route(environment, resources, user),
        resources,
        command,
        logDir,
        user,
        outFilename,
        nmVars);
  }

  @Override
  public boolean signalContainer(ContainerSignalContext context) throws IOException {
    boolean isKilled = hooks.beforeSignal(context, HotTubLinuxContainerExecutor::isAlive);
    return super.signalContainer(context) || isKilled;
  }

  /** The processes belong to the container's user: looking is allowed, signalling is not. */
  private static boolean isAlive(String pid) {
    return Files.exists(java.nio.file.Path.of("/proc", pid));
  }
}
