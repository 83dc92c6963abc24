// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import com.codahale.metrics.MetricRegistry;
import io.hottub.protocol.PoolDirectory;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.DefaultContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerSignalContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The default container executor, for a node with a pool. It differs in two places: the launch
 * script leads an application that asks for HotTub into the pool, and SIGKILL first revokes the
 * leases of a container, so that its pooled JVMs live on. Whatever goes wrong in either is logged
 * and counted, and the container is treated as the default executor would.
 */
public final class HotTubContainerExecutor extends DefaultContainerExecutor {
  private static final Logger LOG = LoggerFactory.getLogger(HotTubContainerExecutor.class);

  private final MetricRegistry registry = new MetricRegistry();

  /** Null: HotTub is inactive. */
  private LaunchRouter router;

  /** Null: HotTub is inactive. */
  private LeaseRevoker revoker;

  @Override
  public void init(Context context) throws IOException {
    super.init(context);
    try {
      activate(getConf());
    } catch (IOException | RuntimeException e) {
      LOG.error("HotTub is inactive: containers run as with the default executor", e);
    }
  }

  private void activate(Configuration conf) throws IOException {
    if (!SupportedHadoop.supports(VersionInfo.getVersion())) {
      LOG.warn(
          "HotTub does not know Hadoop {} and stays inactive; supported: {}",
          VersionInfo.getVersion(),
          SupportedHadoop.lines());
      return;
    }
    PoolDirectory pool = HotTubConfig.pool(conf);
    Duration wait = Duration.ofMillis(HotTubConfig.REVOKE_WAIT_MS.read(conf));
    Metrics.publish(registry);
    revoker = new LeaseRevoker(pool, wait, registry);
    router = new LaunchRouter(pool, HotTubConfig.HOME.read(conf), registry);
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
        routed(environment, resources, user),
        resources,
        command,
        logDir,
        user,
        outFilename,
        nmVars);
  }

  private Map<String, String> routed(
      Map<String, String> environment, Map<Path, List<String>> resources, String user) {
    if (router == null || environment == null || resources == null) {
      return environment;
    }
    try {
      return router.route(environment, byLinkName(resources), user);
    } catch (RuntimeException e) {
      LOG.error("Cannot route a container into the pool; it runs cold", e);
      registry.counter("launch.failures").inc();
      return environment;
    }
  }

  private static Map<String, java.nio.file.Path> byLinkName(Map<Path, List<String>> resources) {
    Map<String, java.nio.file.Path> files = new HashMap<>();
    resources.forEach(
        (file, links) -> links.forEach(link -> files.put(link, Paths.get(file.toUri().getPath()))));
    return files;
  }

  @Override
  public boolean signalContainer(ContainerSignalContext context) throws IOException {
    // Every container is sent SIGKILL at its end, also one that has exited by itself: the pool is
    // asked only where somebody is left to be killed.
    if (revoker != null
        && context.getSignal() == Signal.KILL
        && containerIsAlive(context.getPid())) {
      revokeLeases(context);
    }
    return super.signalContainer(context);
  }

  private void revokeLeases(ContainerSignalContext context) {
    try {
      revoker.revoke(
          Long.parseLong(context.getPid()), context.getContainer().getContainerId().toString());
    } catch (IOException | RuntimeException e) {
      LOG.error("Cannot revoke the leases of process group {}", context.getPid(), e);
      registry.counter("kill.failures").inc();
    }
  }
}
