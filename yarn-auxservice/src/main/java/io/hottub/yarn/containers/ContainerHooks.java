// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import com.codahale.metrics.MetricRegistry;
import io.hottub.protocol.NoPoolException;
import io.hottub.protocol.PoolDirectory;
import io.hottub.yarn.config.HotTubConfig;
import io.hottub.yarn.config.IsolationPolicy;
import io.hottub.yarn.config.SettingException;
import io.hottub.yarn.config.SupportedHadoop;
import io.hottub.yarn.metrics.Metrics;
import java.io.IOException;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerSignalContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a container executor does for a node with a pool: it leads containers into the pool, and
 * revokes their leases before YARN's SIGKILL. Whatever goes wrong in either is logged and counted,
 * and the container is treated as YARN's own executor would.
 */
public final class ContainerHooks {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerHooks.class);

  private final MetricRegistry registry = new MetricRegistry();

  /** Null: HotTub is inactive. */
  private LaunchRouter router;

  /** Null: HotTub is inactive. */
  private LeaseRevoker revoker;

  /** Does nothing but log where HotTub cannot work. */
  public void activate(Configuration conf) {
    try {
      tryToActivate(conf);
    } catch (NoPoolException | SettingException e) {
      LOG.error(
          "HotTub is inactive: containers run as with YARN's own executor: {}", e.getMessage());
    } catch (IOException | RuntimeException e) {
      LOG.error("HotTub is inactive: containers run as with YARN's own executor", e);
    }
  }

  private void tryToActivate(Configuration conf) throws IOException {
    if (!SupportedHadoop.supports(VersionInfo.getVersion())) {
      LOG.warn(
          "HotTub does not know Hadoop {} and stays inactive; supported: {}",
          VersionInfo.getVersion(),
          SupportedHadoop.lines());
      return;
    }
    PoolDirectory pool = HotTubConfig.pool(conf);
    Duration wait = Duration.ofMillis(HotTubConfig.REVOKE_WAIT_MS.read(conf));
    Metrics.begin(registry, "launch.failures");
    var unused = Metrics.publish(registry); // for as long as the NodeManager lives
    revoker = new LeaseRevoker(pool, wait, registry);
    router =
        new LaunchRouter(
            pool,
            HotTubConfig.HOME.read(conf),
            IsolationPolicy.read(conf),
            ContainerFiles.read(conf),
            NodeLimits.read(conf, pool),
            LaunchScript.javaHomeOf(conf),
            registry);
  }

  /** Returns the environment for a container's launch script. */
  public Map<String, String> route(
      Map<String, String> environment, Map<Path, List<String>> resources, String user) {
    if (router == null || environment == null || resources == null) {
      return environment;
    }
    try {
      return router.route(environment, byLinkName(resources), user);
    } catch (RuntimeException | Error e) {
      registry.counter("launch.failures").inc();
      LOG.error("Cannot route a container into the pool; it runs cold", e);
      return environment;
    }
  }

  /**
   * The files that matter, alone: a NodeManager in the POSIX locale has no paths for names that are
   * not ASCII.
   */
  private static Map<String, java.nio.file.Path> byLinkName(Map<Path, List<String>> resources) {
    Map<String, java.nio.file.Path> files = new HashMap<>();
    resources.forEach(
        (file, links) ->
            links.stream()
                .filter(LaunchRouter.FILES::contains)
                .forEach(link -> files.put(link, Paths.get(file.toUri().getPath()))));
    return files;
  }

  /**
   * To be called before a signal is sent.
   *
   * @param isAlive tells of a pid whether anybody is left of the container. Every container is sent
   *     SIGKILL at its end, also one that has exited by itself: only where somebody is left to be
   *     killed, the pool is asked
   * @return whether it has killed the container, of which YARN may find nobody then
   */
  public boolean beforeSignal(ContainerSignalContext context, Predicate<String> isAlive) {
    if (revoker == null
        || context.getSignal() != ContainerExecutor.Signal.KILL
        || !isAlive.test(context.getPid())) {
      return false;
    }
    try {
      return revoker.revoke(
          Long.parseLong(context.getPid()), context.getContainer().getContainerId().toString());
    } catch (IOException | RuntimeException e) {
      LOG.error("Cannot revoke the leases of process group {}", context.getPid(), e);
      registry.counter("kill.failures").inc();
      return false;
    }
  }
}
