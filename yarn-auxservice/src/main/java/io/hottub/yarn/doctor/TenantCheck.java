// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.doctor;

import io.hottub.protocol.NoPoolException;
import io.hottub.protocol.PoolDirectory;
import io.hottub.protocol.doctor.Check;
import io.hottub.protocol.doctor.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** Whether YARN users are kept apart, and each can have a pool. */
final class TenantCheck implements Check {
  private static final int EVERYBODYS = 01777;

  private final NodeSettings settings;
  private final Map<String, String> environment;

  /**
   * @param environment in which runs find the pool
   */
  TenantCheck(Configuration conf, Map<String, String> environment) {
    this.settings = new NodeSettings(conf);
    this.environment = environment;
  }

  @Override
  public String name() {
    return "tenant";
  }

  @Override
  public String right() {
    return "YARN users who share a Unix user do not share JVMs, and where containers have other Unix"
        + " users than the NodeManager, these may have pools below the root (mode 1777)";
  }

  @Override
  public Finding look() throws IOException {
    if (!settings.hasOurExecutor() && !settings.hasUsersOfTheirOwn()) {
      return Finding.warning(
          "YARN users who have a HotTub home as JAVA_HOME share JVMs: the container executor does"
              + " not tell them apart",
          "set the container executor of HotTub");
    }
    if (!settings.hasLinuxExecutor()) {
      return Finding.ok("containers run as the NodeManager's user, YARN users share no JVM");
    }
    Path root;
    try {
      root = PoolDirectory.resolve(environment).root();
    } catch (NoPoolException e) {
      return Finding.failed("there is no root of pools: " + e.details(), e.advice());
    }
    int mode = Files.exists(root) ? (Integer) Files.getAttribute(root, "unix:mode") : 0;
    return (mode & EVERYBODYS) == EVERYBODYS
        ? Finding.ok("containers run as other Unix users, who may have pools in " + root)
        : Finding.failed(
            "containers run as other Unix users, who may have no pools in " + root,
            "make it at boot with mode 1777, as conf/tmpfiles.d/hottub.conf does");
  }
}
