// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import io.hottub.yarn.containers.ContainerHooks;
import io.hottub.yarn.web.NodePageInitializer;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.DefaultContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerSignalContext;

/**
 * The default container executor, for a node with a pool. It differs in two places: the launch
 * script leads an application that asks for HotTub into the pool, and SIGKILL first revokes the
 * leases of a container, so that its pooled JVMs live on.
 */
public final class HotTubContainerExecutor extends DefaultContainerExecutor {
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
    boolean isKilled = hooks.beforeSignal(context, HotTubContainerExecutor::isAlive);
    return super.signalContainer(context) || isKilled;
  }

  private static boolean isAlive(String pid) {
    try {
      return containerIsAlive(pid);
    } catch (IOException e) {
      return true;
    }
  }
}
