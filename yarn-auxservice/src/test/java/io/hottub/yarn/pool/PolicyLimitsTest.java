// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.protocol.PoolLimits;
import io.hottub.yarn.config.HotTubConfig;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class PolicyLimitsTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void defaults() {
    assertEquals(PoolLimits.ofThisMachine(), PolicyLimits.read(conf).shared());
  }

  @Test
  void contradictionsAreNamed() {
    assertEquals(List.of(), PolicyLimits.read(conf).contradictions());
    conf.setInt(HotTubConfig.MAX_JVMS.name(), 2);
    assertEquals(List.of(), PolicyLimits.read(conf).contradictions(), "what is not set follows");
    conf.setInt(HotTubConfig.MAX_JVMS_PER_FINGERPRINT.name(), 3);
    conf.setInt(HotTubConfig.MIN_IDLE.name(), 4);
    conf.setInt(HotTubConfig.IDLE_MEMORY_MB.name(), 0);
    assertEquals(3, PolicyLimits.read(conf).contradictions().size());
    conf.setInt(HotTubConfig.MAX_JVMS.name(), 0);
    assertEquals(List.of(), PolicyLimits.read(conf).contradictions(), "switched off");
  }

  @Test
  void memoryIsConfiguredInMebibytes() {
    conf.setInt(HotTubConfig.IDLE_MEMORY_MB.name(), 3_000);
    assertEquals(3_000L * 1024 * 1024, PolicyLimits.read(conf).idleBytes());
  }
}
