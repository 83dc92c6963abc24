// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.doctor;

import io.hottub.yarn.HotTubContainerExecutor;
import io.hottub.yarn.HotTubLinuxContainerExecutor;
import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** How the NodeManager of a configuration starts its containers. */
final class NodeSettings {
  static final String DEFAULT_EXECUTOR =
      "org.apache.hadoop.yarn.server.nodemanager.DefaultContainerExecutor";
  static final String LINUX_EXECUTOR =
      "org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor";
  static final String OUR_EXECUTOR = HotTubContainerExecutor.class.getName();
  static final String OUR_LINUX_EXECUTOR = HotTubLinuxContainerExecutor.class.getName();

  private final Configuration conf;

  NodeSettings(Configuration conf) {
    this.conf = conf;
  }

  String executor() {
    return conf.getTrimmed(YarnConfiguration.NM_CONTAINER_EXECUTOR, DEFAULT_EXECUTOR);
  }

  boolean hasOurExecutor() {
    return Set.of(OUR_EXECUTOR, OUR_LINUX_EXECUTOR).contains(executor());
  }

  boolean hasLinuxExecutor() {
    return Set.of(LINUX_EXECUTOR, OUR_LINUX_EXECUTOR).contains(executor());
  }

  /** Whether containers run as the Unix users of those who submit them. */
  boolean hasUsersOfTheirOwn() {
    String authentication =
        conf.getTrimmed(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHENTICATION, "simple");
    boolean isSecure = !authentication.toLowerCase(Locale.ROOT).equals("simple");
    boolean limitsUsers =
        conf.getBoolean(
            YarnConfiguration.NM_NONSECURE_MODE_LIMIT_USERS,
            YarnConfiguration.DEFAULT_NM_NONSECURE_MODE_LIMIT_USERS);
    return hasLinuxExecutor() && (isSecure || !limitsUsers);
  }

  /** Whether containers are in control groups of their own. */
  boolean hasCgroups() {
    boolean handler =
        conf.getTrimmed(YarnConfiguration.NM_LINUX_CONTAINER_RESOURCES_HANDLER, "")
            .endsWith("CgroupsLCEResourcesHandler");
    return hasLinuxExecutor()
        && (handler || hasMemoryLimits() || flag(YarnConfiguration.NM_CPU_RESOURCE_ENABLED));
  }

  /** Whether these bound memory. */
  boolean hasMemoryLimits() {
    return hasLinuxExecutor() && flag(YarnConfiguration.NM_MEMORY_RESOURCE_ENABLED);
  }

  /** Whether these bound processor time; shares alone are no bound. */
  boolean hasProcessorLimits() {
    return hasCgroups() && flag(YarnConfiguration.NM_LINUX_CONTAINER_CGROUPS_STRICT_RESOURCE_USAGE);
  }

  private boolean flag(String name) {
    return conf.getBoolean(name, false);
  }
}
