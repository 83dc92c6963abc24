// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.tez;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.tez.dag.api.TezConfiguration;

/**
 * Routes the containers of a Tez application into the pool from the side of its client, for
 * clusters whose NodeManagers do not do so by themselves. Tez has no hook for that in its client:
 * whoever creates a {@code TezClient} calls {@link #route} with its configuration first.
 */
public final class HotTubTez {
  private static final String JAVA_HOME = "JAVA_HOME=";

  private HotTubTez() {}

  /**
   * Adds {@code JAVA_HOME} to the environment of application master and tasks, if the application
   * asks for HotTub, {@link TezKeys#HOME} is set, and it has no {@code JAVA_HOME} of its own.
   */
  public static void route(Configuration conf) {
    String home = conf.getTrimmed(TezKeys.HOME, "");
    if (!conf.getBoolean(TezKeys.ENABLED, false) || home.isEmpty()) {
      return;
    }
    for (String key :
        List.of(TezConfiguration.TEZ_AM_LAUNCH_ENV, TezConfiguration.TEZ_TASK_LAUNCH_ENV)) {
      List<String> environment = List.copyOf(conf.getTrimmedStringCollection(key));
      if (environment.stream().noneMatch(variable -> variable.startsWith(JAVA_HOME))) {
        String ours = JAVA_HOME + home;
        conf.set(key, environment.isEmpty() ? ours : conf.get(key) + "," + ours);
      }
    }
  }
}
