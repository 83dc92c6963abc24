// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.protocol.PoolLimits;
import io.hottub.yarn.config.HotTubConfig;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class PolicyLimitsTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void defaults() {
    assertEquals(PoolLimits.ofThisMachine(), PolicyLimits.read(conf).shared());
  }

  @Test
  void memoryIsConfiguredInMebibytes() {
    conf.setInt(HotTubConfig.IDLE_MEMORY_MB.name(), 3_000);
    assertEquals(3_000L * 1024 * 1024, PolicyLimits.read(conf).idleBytes());
  }
}
