// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.recipes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.codahale.metrics.MetricRegistry;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;

class RecipeUsersTest {
  private static final String OWN = System.getProperty("user.name");

  /** As operators write it. */
  private static final String LINUX_EXECUTOR = "io.hottub.yarn.HotTubLinuxContainerExecutor";

  private final Configuration conf = new Configuration(false);
  private final MetricRegistry registry = new MetricRegistry();

  private boolean isRun(String user) throws Exception {
    Recipe recipe = Recipe.parse("a", "class-path=/a\nmain-class=A\nuser=" + user + "\n");
    return !RecipeUsers.own(List.of(recipe), conf, registry).isEmpty();
  }

  @Test
  void theDefaultExecutorRunsAllContainersAsTheNodeManager() throws Exception {
    assertEquals(List.of(true, true), List.of(isRun("alice"), isRun("")));
  }

  @Test
  void theLinuxExecutorRunsThemAsTheirUser() throws Exception {
    conf.set(YarnConfiguration.NM_CONTAINER_EXECUTOR, LINUX_EXECUTOR);
    conf.setBoolean(YarnConfiguration.NM_NONSECURE_MODE_LIMIT_USERS, false);
    assertEquals(List.of(false, true, true), List.of(isRun("alice"), isRun(""), isRun(OWN)));
    assertEquals(1, registry.counter("recipes.skipped.other-user").getCount());
  }

  @Test
  void orAllAsOneUser() throws Exception {
    conf.set(YarnConfiguration.NM_CONTAINER_EXECUTOR, LINUX_EXECUTOR);
    assertEquals(List.of(false, false, true), List.of(isRun("alice"), isRun(OWN), isRun("")));
    conf.set(YarnConfiguration.NM_NONSECURE_MODE_LOCAL_USER_KEY, OWN);
    assertEquals(true, isRun("alice"));
  }
}
