// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.doctor;

import io.hottub.protocol.NoPoolException;
import io.hottub.protocol.PoolDirectory;
import io.hottub.protocol.PoolLimits;
import io.hottub.protocol.doctor.Check;
import io.hottub.protocol.doctor.Finding;
import io.hottub.yarn.HotTubAuxService;
import io.hottub.yarn.pool.PolicyLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Whether the pool service is set, and has begun with the settings as they are now. */
final class ServiceCheck implements Check {
  private static final String CLASS =
      "yarn.nodemanager.aux-services." + HotTubAuxService.NAME + ".class";

  private final Configuration conf;
  private final Map<String, String> environment;

  /**
   * @param environment in which runs find the pool
   */
  ServiceCheck(Configuration conf, Map<String, String> environment) {
    this.conf = conf;
    this.environment = environment;
  }

  @Override
  public String name() {
    return "service";
  }

  @Override
  public String right() {
    return "`yarn.nodemanager.aux-services` names hottub, with its class, and the NodeManager was"
        + " started with the limits that yarn-site.xml has now";
  }

  @Override
  public Finding look() throws IOException {
    // With a manifest, YARN does not look at these two.
    if (!conf.getBoolean(YarnConfiguration.NM_AUX_SERVICES_MANIFEST_ENABLED, false)) {
      if (!Arrays.asList(conf.getTrimmedStrings(YarnConfiguration.NM_AUX_SERVICES))
          .contains(HotTubAuxService.NAME)) {
        return Finding.failed(
            YarnConfiguration.NM_AUX_SERVICES + " does not name hottub",
            "merge conf/yarn-site-hottub.xml into yarn-site.xml and restart the NodeManager");
      }
      String ours = HotTubAuxService.class.getName();
      if (!conf.getTrimmed(CLASS, "").equals(ours)) {
        return Finding.failed(CLASS + " is not " + ours, "set it and restart the NodeManager");
      }
    }
    PoolDirectory pool;
    try {
      pool = PoolDirectory.resolve(environment);
    } catch (NoPoolException e) {
      return Finding.failed(
          "the service has no pool: " + e.details(), e.advice() + "; restart the NodeManager");
    }
    if (!Files.exists(PoolLimits.file(pool))) {
      return Finding.failed(
          "no NodeManager of this user has prepared the pool in " + pool.userFolder(),
          "put lib/yarn/* on its class path and restart it; if its log has \"Cannot prepare the"
              + " pool\", do what follows there");
    }
    if (!PolicyLimits.read(conf).shared().areThoseOf(pool)) {
      return Finding.warning(
          "the limits in " + PoolLimits.file(pool) + " are not those of yarn-site.xml",
          "restart the NodeManager");
    }
    return Finding.ok("the NodeManager keeps the pool in " + pool.userFolder());
  }
}
