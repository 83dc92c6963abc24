// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.tez;

import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.tez.dag.api.TezConfiguration;

/**
 * Routes the containers of a Tez application into the pool from the side of its client, for
 * clusters whose NodeManagers do not do so by themselves. Tez has no hook for that in its client:
 * whoever creates a {@code TezClient} calls {@link #route} with its configuration first.
 */
public final class HotTubTez {
  private static final Pattern ISOLATION = Pattern.compile("reuse|clone|strict");

  private HotTubTez() {}

  /**
   * If the application asks for HotTub, adds to the environment of application master and tasks,
   * unless they have their own: {@code JAVA_HOME} where {@link TezKeys#HOME} is set, and {@code
   * HOTTUB_ISOLATION} where {@link TezKeys#ISOLATION} is.
   */
  public static void route(Configuration conf) {
    if (!conf.getBoolean(TezKeys.ENABLED, false)) {
      return;
    }
    String home = conf.getTrimmed(TezKeys.HOME, "");
    if (!home.isEmpty()) {
      setIfMissing(conf, "JAVA_HOME=", home);
    }
    String isolation = conf.getTrimmed(TezKeys.ISOLATION, "");
    if (ISOLATION.matcher(isolation).matches()) {
      setIfMissing(conf, "HOTTUB_ISOLATION=", isolation);
    }
  }

  private static void setIfMissing(Configuration conf, String variable, String value) {
    for (String key :
        List.of(TezConfiguration.TEZ_AM_LAUNCH_ENV, TezConfiguration.TEZ_TASK_LAUNCH_ENV)) {
      List<String> environment = List.copyOf(conf.getTrimmedStringCollection(key));
      if (environment.stream().noneMatch(one -> one.startsWith(variable))) {
        String ours = variable + value;
        conf.set(key, environment.isEmpty() ? ours : conf.get(key) + "," + ours);
      }
    }
  }
}
