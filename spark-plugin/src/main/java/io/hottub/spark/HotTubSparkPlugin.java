// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.spark;

import io.hottub.protocol.ClientVariables;
import io.hottub.protocol.Isolation;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.apache.spark.ui.SparkUI;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows in Spark's web UI how the JVMs of an application were served, and says in the driver's log
 * which were not warm, and why; and routes its containers into the pool from Spark's side, for
 * clusters whose NodeManagers do not do so by themselves. Meant for {@code spark.plugins} in {@code
 * spark-defaults.conf}: without {@link SparkKeys#ENABLED} it does nothing.
 */
public final class HotTubSparkPlugin implements SparkPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(HotTubSparkPlugin.class);
  private static final String DRIVER = "driver";

  static boolean isEnabled(SparkConf conf) {
    return Boolean.parseBoolean(conf.get(SparkKeys.ENABLED, "").trim());
  }

  @Override
  public DriverPlugin driverPlugin() {
    return new Driver();
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new ExecutorPlugin() {
      @Override
      public void init(PluginContext plugin, Map<String, String> extra) {
        // With a local master this is the driver's JVM.
        if (isEnabled(plugin.conf()) && !plugin.executorID().equals(DRIVER)) {
          LeaseReport.start(served -> plugin.send(served.message(plugin.executorID())));
        }
      }
    };
  }

  private static final class Driver implements DriverPlugin {
    private LeaseTable table;
    private NotWarm notWarm;

    @Override
    public Map<String, String> init(SparkContext context, PluginContext plugin) {
      // Spark starts driver plug-ins before it submits the application (client mode) and before it
      // asks for executors (both modes), and gives them the settings that it will use for both.
      new ContainerRouting(context.conf()).apply();
      if (isEnabled(context.conf())) {
        startTable(context);
      }
      return Map.of();
    }

    private void startTable(SparkContext context) {
      try {
        LeaseTable started = new LeaseTable(context.listenerBus()::post);
        context.addSparkListener(started);
        table = started;
        notWarm = new NotWarm(LOG::warn, LOG::info, NotWarm.GROUP_MS);
        LeaseReport.start(served -> take(DRIVER, served));
        if (context.ui().isDefined()) {
          SparkUI ui = context.ui().get();
          ui.attachTab(new SparkTab(ui));
        }
      } catch (RuntimeException | LinkageError e) {
        // A release of Spark that has changed what we use: no reason to stop the application.
        LOG.warn("Cannot show how JVMs are served by HotTub: {}", e.toString());
      }
    }

    private void take(String name, Served served) {
      table.put(name, served.text());
      notWarm.add(name, served);
    }

    /** What the executors send. */
    @Override
    public Object receive(Object message) {
      if (table != null && message instanceof String[] report && report.length == 3) {
        take("executor." + report[0], new Served(report[1], report[2]));
      }
      return null;
    }

    @Override
    public void shutdown() {
      if (table != null) {
        table.close();
        notWarm.close();
      }
    }
  }

  /** The change to an application's settings. */
  static final class ContainerRouting {
    private static final String EXECUTOR = "spark.executorEnv.";
    private static final String MASTER = "spark.yarn.appMasterEnv.";

    private final SparkConf conf;

    ContainerRouting(SparkConf conf) {
      this.conf = conf;
    }

    /** Variables that the application has chosen stay. */
    void apply() {
      if (!isEnabled(conf)) {
        return;
      }
      String home = conf.get(SparkKeys.HOME, "").trim();
      if (!home.isEmpty()) {
        setIfMissing("JAVA_HOME", home);
      }
      String isolation = conf.get(SparkKeys.ISOLATION, "").trim();
      if (Isolation.of(isolation).isPresent()) {
        setIfMissing(ClientVariables.ISOLATION, isolation);
      } else if (!isolation.isEmpty()) {
        LOG.warn(
            "{} is \"{}\", not reuse, clone or strict; the nodes' own is used",
            SparkKeys.ISOLATION,
            isolation);
      }
    }

    private void setIfMissing(String variable, String value) {
      conf.setIfMissing(EXECUTOR + variable, value);
      conf.setIfMissing(MASTER + variable, value);
    }
  }
}
