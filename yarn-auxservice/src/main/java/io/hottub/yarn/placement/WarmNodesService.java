// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.placement;

import com.codahale.metrics.Counter;
import com.codahale.metrics.MetricRegistry;
import io.hottub.yarn.cluster.ClusterReader;
import io.hottub.yarn.cluster.ClusterSettings;
import io.hottub.yarn.cluster.Task;
import io.hottub.yarn.config.HotTubConfig;
import io.hottub.yarn.config.SupportedHadoop;
import io.hottub.yarn.log.Trouble;
import io.hottub.yarn.metrics.Metrics;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the ResourceManager knows of warm JVMs. It reads the cluster view in a thread of its own;
 * whoever asks never waits.
 */
public final class WarmNodesService {
  private static final Logger LOG = LoggerFactory.getLogger(WarmNodesService.class);
  private static final long SHORTEST_TURN_MS = 500;

  /** One for the whole ResourceManager; null before the first use. */
  private static WarmNodesService shared;

  private final MetricRegistry registry = new MetricRegistry();
  private final Counter failures = registry.counter("locality.failures");
  private final Counter warm = registry.counter("locality.warm");
  private final long longestWaitMs;
  private final WarmNodes nodes;

  /** It is another one when the ResourceManager becomes active again. */
  private volatile RMContext context;

  private static final String NOT_PREFERRED = "Nodes with warm JVMs are not preferred for now";
  private static final String PREFERRED = "Nodes with warm JVMs are preferred again";

  private final Trouble unread = new Trouble(LOG, NOT_PREFERRED, PREFERRED);
  private final Trouble misplaced = new Trouble(LOG, NOT_PREFERRED, PREFERRED);

  /** Since the last turn. */
  private volatile boolean hasFailed;

  private WarmNodesService(RMContext context, Duration publishInterval) {
    this.context = context;
    Configuration conf = context.getYarnConfiguration();
    long heartbeatMs =
        conf.getLong(
            YarnConfiguration.RM_NM_HEARTBEAT_INTERVAL_MS,
            YarnConfiguration.DEFAULT_RM_NM_HEARTBEAT_INTERVAL_MS);
    longestWaitMs = heartbeatMs * 3 / 2;
    nodes = new WarmNodes(publishInterval.multipliedBy(2), System::nanoTime);
    registry.gauge("locality.nodes", () -> nodes::count);
  }

  /** The first call starts it. */
  public static synchronized WarmNodesService of(RMContext context) {
    if (shared == null) {
      shared = start(context);
    }
    shared.context = context;
    return shared;
  }

  private static WarmNodesService start(RMContext context) {
    ClusterSettings settings =
        ClusterSettings.readForResourceManager(context.getYarnConfiguration()).orElse(null);
    if (settings == null || !SupportedHadoop.supports(VersionInfo.getVersion())) {
      LOG.error(
          "No node is preferred: Hadoop {} is not known, or {} not set",
          VersionInfo.getVersion(),
          HotTubConfig.CLUSTER_CONNECT.name());
      return new WarmNodesService(context, Duration.ZERO);
    }
    Duration interval = settings.publishInterval();
    WarmNodesService service = new WarmNodesService(context, interval);
    var unused = Metrics.publish(service.registry); // for as long as the ResourceManager lives
    ClusterReader reader = new ClusterReader(settings);
    var unusedToo =
        Executors.newSingleThreadScheduledExecutor(
                task -> {
                  Thread thread = new Thread(task, "hottub-warm-nodes");
                  thread.setDaemon(true);
                  return thread;
                })
            .scheduleWithFixedDelay(
                () -> service.turn(reader),
                0,
                Math.max(SHORTEST_TURN_MS, interval.toMillis() / 2),
                TimeUnit.MILLISECONDS);
    LOG.info("Nodes with warm JVMs are preferred, as {} tells", settings.connect());
    return service;
  }

  /** Never throws: a scheduler drops a task that does. */
  private void turn(ClusterReader reader) {
    try {
      nodes.update(reader.read(), context.getRMNodes().keySet());
      unread.isOver();
      if (!hasFailed) {
        misplaced.isOver();
      }
      hasFailed = false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception | LinkageError e) {
      // What may be wrong by now is not to be followed.
      nodes.update(Map.of(), context.getRMNodes().keySet());
      failures.inc();
      unread.is(e);
    }
  }

  /** Counts what is survived in placing a container; the log has it once. */
  public void failed(Throwable e) {
    failures.inc();
    hasFailed = true;
    misplaced.is(e);
  }

  /** Within it, every node that lives has had its turn. */
  public long longestWaitMs() {
    return longestWaitMs;
  }

  public WarmPreference preference() {
    return new WarmPreference(Duration.ofMillis(longestWaitMs), System::nanoTime, registry);
  }

  public Map<NodeId, WarmNode> serving(Task task) {
    return nodes.serving(task);
  }

  /** A container is placed on a node. */
  public void placed(Task task, NodeId node) {
    WarmNode chosen = nodes.serving(task).get(node);
    if (chosen != null && chosen.take()) {
      warm.inc();
    }
  }
}
