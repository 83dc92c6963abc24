// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.DefaultContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor;

/**
 * Whose files a container sees. Those of Docker and runc have an image of their own, in which the
 * paths of the node lead nowhere.
 *
 * @param ofNode the runtime of containers that name none
 * @param chosen whether the executor obeys what containers name; only YARN's Linux executor does
 */
record ContainerFiles(String ofNode, boolean chosen) {
  private static final String OF_CONTAINER = "YARN_CONTAINER_RUNTIME_TYPE";

  /** Runtimes without an image. */
  private static final Set<String> WITHOUT_IMAGE = Set.of("default", "javasandbox");

  static ContainerFiles read(Configuration conf) {
    return new ContainerFiles(
        conf.get(YarnConfiguration.LINUX_CONTAINER_RUNTIME_TYPE, "default"), isLinuxExecutor(conf));
  }

  /** Whether containers run on YARN's Linux executor, as users of their own. */
  static boolean isLinuxExecutor(Configuration conf) {
    Class<?> executor =
        conf.getClass(YarnConfiguration.NM_CONTAINER_EXECUTOR, DefaultContainerExecutor.class);
    return LinuxContainerExecutor.class.isAssignableFrom(executor);
  }

  /**
   * Whether a container sees the files of the node.
   *
   * @param environment of the container
   */
  boolean areThoseOfTheNode(Map<String, String> environment) {
    return !chosen || WITHOUT_IMAGE.contains(environment.getOrDefault(OF_CONTAINER, ofNode));
  }
}
