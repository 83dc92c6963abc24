// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.recipes;

import com.codahale.metrics.MetricRegistry;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.DefaultContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leaves out recipes for containers that do not run as the NodeManager's Unix user. Their JVMs are
 * in the pool of another user, where the NodeManager can neither look nor start processes.
 */
public final class RecipeUsers {
  private static final Logger LOG = LoggerFactory.getLogger(RecipeUsers.class);

  private RecipeUsers() {}

  public static List<Recipe> own(
      List<Recipe> recipes, Configuration conf, MetricRegistry registry) {
    String own = System.getProperty("user.name");
    return recipes.stream()
        .filter(
            recipe -> {
              String user = recipe.user().isEmpty() ? own : unixUser(recipe.user(), own, conf);
              if (!user.equals(own)) {
                LOG.warn(
                    "The recipe {} is skipped: containers of {} run as the Unix user {}, whose pool"
                        + " is closed to the NodeManager ({})",
                    recipe.name(),
                    recipe.user(),
                    user,
                    own);
                registry.counter("recipes.skipped.other-user").inc();
              }
              return user.equals(own);
            })
        .toList();
  }

  /** As the container executors decide it. */
  private static String unixUser(String user, String own, Configuration conf) {
    Class<?> executor =
        conf.getClass(YarnConfiguration.NM_CONTAINER_EXECUTOR, DefaultContainerExecutor.class);
    if (!LinuxContainerExecutor.class.isAssignableFrom(executor)) {
      return own;
    }
    boolean isLimited =
        conf.getBoolean(
            YarnConfiguration.NM_NONSECURE_MODE_LIMIT_USERS,
            YarnConfiguration.DEFAULT_NM_NONSECURE_MODE_LIMIT_USERS);
    return UserGroupInformation.isSecurityEnabled() || !isLimited
        ? user
        : conf.get(
            YarnConfiguration.NM_NONSECURE_MODE_LOCAL_USER_KEY,
            YarnConfiguration.DEFAULT_NM_NONSECURE_MODE_LOCAL_USER);
  }
}
