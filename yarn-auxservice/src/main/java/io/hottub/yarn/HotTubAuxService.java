// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.jmx.JmxReporter;
import io.hottub.protocol.PoolDirectory;
import io.hottub.protocol.PoolLimits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.ApplicationInitializationContext;
import org.apache.hadoop.yarn.server.api.ApplicationTerminationContext;
import org.apache.hadoop.yarn.server.api.AuxiliaryService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pool service: prepares the pool's folder and limits, watches the pooled JVMs, and ends them
 * when the NodeManager stops for good. Runs are served without it; when it cannot do its work it
 * says so in log and metrics and stays out of the way, because an auxiliary service that throws
 * would stop the NodeManager.
 */
public final class HotTubAuxService extends AuxiliaryService {
  /** The name in {@code yarn.nodemanager.aux-services}. */
  public static final String NAME = "hottub";

  private static final Logger LOG = LoggerFactory.getLogger(HotTubAuxService.class);
  private static final long STOP_SECONDS = 2;

  private final MetricRegistry registry = new MetricRegistry();
  private final PoolMetrics metrics = new PoolMetrics(registry);
  private JmxReporter reporter;
  private PoolDirectory pool;
  private PoolWatch watch;
  private ScheduledExecutorService scheduler;

  public HotTubAuxService() {
    super(NAME);
  }

  @Override
  protected void serviceInit(Configuration conf) throws Exception {
    super.serviceInit(conf);
    guarded("prepare the pool", () -> prepare(conf));
  }

  private void prepare(Configuration conf) throws IOException {
    reporter = Metrics.publish(registry);
    if (!SupportedHadoop.supports(VersionInfo.getVersion())) {
      LOG.warn(
          "HotTub does not know Hadoop {} and stays inactive; supported: {}",
          VersionInfo.getVersion(),
          SupportedHadoop.lines());
      return;
    }
    PoolDirectory prepared = HotTubConfig.pool(conf);
    PoolLimits limits = HotTubConfig.limits(conf);
    prepared.create();
    limits.write(prepared);
    watch = new PoolWatch(new PoolScanner(prepared), new PoolPolicy(limits), metrics);
    pool = prepared;
    LOG.info("The pool of warm JVMs is in {}, {}", pool.userFolder(), limits);
  }

  @Override
  protected void serviceStart() throws Exception {
    super.serviceStart();
    if (watch != null) {
      guarded("start watching the pool", this::startWatching);
    }
  }

  private void startWatching() {
    scheduler =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "hottub-pool-watch");
              thread.setDaemon(true);
              return thread;
            });
    // What the future would tell is what PoolWatch never does: fail.
    var unused =
        scheduler.scheduleWithFixedDelay(
            watch, 0, HotTubConfig.SCAN_INTERVAL_MS.read(getConfig()), TimeUnit.MILLISECONDS);
  }

  @Override
  protected void serviceStop() throws Exception {
    guarded("stop watching the pool", this::stopWatching);
    if (watch != null && !recovers(getConfig())) {
      guarded("end the pooled JVMs", () -> watch.retireAll(RetireReason.SERVICE_STOPS));
    }
    if (reporter != null) {
      guarded("take the metrics off JMX", reporter::close);
    }
    super.serviceStop();
  }

  private void stopWatching() throws InterruptedException {
    if (scheduler != null) {
      scheduler.shutdownNow();
      scheduler.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** With recovery, the next NodeManager on this node adopts the JVMs as it does containers. */
  private static boolean recovers(Configuration conf) {
    return conf.getBoolean(
        YarnConfiguration.NM_RECOVERY_ENABLED, YarnConfiguration.DEFAULT_NM_RECOVERY_ENABLED);
  }

  /** Something that the NodeManager must survive. */
  private interface Step {
    void run() throws Exception;
  }

  private void guarded(String what, Step step) {
    try {
      step.run();
    } catch (Exception | LinkageError e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      LOG.error("Cannot {}; the NodeManager goes on without", what, e);
      metrics.failed();
    }
  }

  /**
   * Returns the root of the pool, which YARN hands to every container as {@code
   * NM_AUX_SERVICE_hottub}; empty while there is no pool.
   */
  @Override
  public ByteBuffer getMetaData() {
    String root = pool == null ? "" : pool.root().toString();
    return ByteBuffer.wrap(root.getBytes(StandardCharsets.UTF_8));
  }

  /** Leases do not depend on applications. */
  @Override
  public void initializeApplication(ApplicationInitializationContext context) {}

  /** Leases do not depend on applications. */
  @Override
  public void stopApplication(ApplicationTerminationContext context) {}
}
