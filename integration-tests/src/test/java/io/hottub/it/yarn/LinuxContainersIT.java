// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hottub.it.harness.Application;
import org.junit.jupiter.api.Test;

/** Containers of another Unix user, whose files the NodeManager cannot read. */
class LinuxContainersIT extends ContainerRouting {
  private static final String USER = "nobody";

  @Override
  void startNodeManager() throws Exception {
    assumeTrue(System.getProperty("user.name").equals("root"), "only root can be several users");
    node.startNodeManagerWithContainersOf(USER);
  }

  @Test
  void theirSettingsAreClosedToTheNodeManager() throws Exception {
    Application application = new Application(node.client()).file("job.xml", jobSettings());
    assertEquals("500 " + USER + "\n", output(application, "stat -Lc '%a %U' job.xml"));
    node.awaitCounted("launch.mapreduce.left-to-script");
    node.awaitMetric("launch.mapreduce.unreadable-settings", "\"Count\" : 0");
  }

  /** Into the pool of that user, where the pool service cannot write. */
  @Test
  void theLimitsOfTheNodeComeAlong() throws Exception {
    String limits = output(new Application(node.client()), "echo $HOTTUB_LIMITS");
    assertTrue(limits.matches("max_jvms \\d+,.*,isolation reuse\n"), limits);
  }
}
