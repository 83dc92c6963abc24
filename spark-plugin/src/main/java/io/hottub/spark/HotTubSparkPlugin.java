// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.spark;

import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * Routes the containers of an application into the pool from Spark's side, for clusters whose
 * NodeManagers do not do so by themselves. Meant for {@code spark.plugins} in {@code
 * spark-defaults.conf}: without {@link SparkKeys#ENABLED} and {@link SparkKeys#HOME} it does
 * nothing.
 */
public final class HotTubSparkPlugin implements SparkPlugin {

  @Override
  public DriverPlugin driverPlugin() {
    return new DriverPlugin() {
      @Override
      public Map<String, String> init(SparkContext context, PluginContext plugin) {
        // Spark starts driver plug-ins before it submits the application (client mode) and before
        // it asks for executors (both modes), and gives them the settings that it will use for
        // both.
        new ContainerRouting(context.conf()).apply();
        return Map.of();
      }
    };
  }

  /** Executors have nothing to do: null is Spark's word for that. */
  @Override
  public ExecutorPlugin executorPlugin() {
    return null;
  }

  /** The change to an application's settings. */
  static final class ContainerRouting {
    private static final String EXECUTOR_JAVA_HOME = "spark.executorEnv.JAVA_HOME";
    private static final String MASTER_JAVA_HOME = "spark.yarn.appMasterEnv.JAVA_HOME";

    private final SparkConf conf;

    ContainerRouting(SparkConf conf) {
      this.conf = conf;
    }

    /** A {@code JAVA_HOME} that the application has chosen stays. */
    void apply() {
      if (!Boolean.parseBoolean(conf.get(SparkKeys.ENABLED, "").trim())) {
        return;
      }
      String home = conf.get(SparkKeys.HOME, "").trim();
      if (!home.isEmpty()) {
        conf.setIfMissing(EXECUTOR_JAVA_HOME, home);
        conf.setIfMissing(MASTER_JAVA_HOME, home);
      }
    }
  }
}
