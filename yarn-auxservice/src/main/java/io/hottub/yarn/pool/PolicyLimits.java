// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.pool;

import io.hottub.protocol.PoolLimits;
import io.hottub.yarn.config.HotTubConfig;
import org.apache.hadoop.conf.Configuration;

/**
 * What the pool may be at most, and should be at least.
 *
 * @param shared what clients and keepers obey by themselves, too
 * @param maxJvmsPerTenant pooled JVMs of one YARN user
 * @param minIdle idle JVMs that stay although they have been idle for long
 * @param maxAgeSeconds a JVM that lives longer retires
 */
public record PolicyLimits(
    PoolLimits shared, int maxJvmsPerTenant, int minIdle, int maxAgeSeconds) {
  private static final int MEBIBYTE_SHIFT = 20;

  /** Resident memory of all idle JVMs, in bytes. */
  public long idleBytes() {
    return (long) shared.idleMemoryMb() << MEBIBYTE_SHIFT;
  }

  public static PolicyLimits read(Configuration conf) {
    PoolLimits machine = PoolLimits.ofThisMachine();
    return new PolicyLimits(
        new PoolLimits(
            HotTubConfig.MAX_JVMS.read(conf).orElse(machine.maxJvms()),
            HotTubConfig.MAX_JVMS_PER_FINGERPRINT
                .read(conf)
                .orElse(machine.maxJvmsPerFingerprint()),
            HotTubConfig.IDLE_SECONDS.read(conf),
            HotTubConfig.MAX_LEASES.read(conf),
            HotTubConfig.IDLE_MEMORY_MB.read(conf).orElse(machine.idleMemoryMb())),
        HotTubConfig.MAX_JVMS_PER_TENANT.read(conf),
        HotTubConfig.MIN_IDLE.read(conf),
        HotTubConfig.MAX_AGE_SECONDS.read(conf));
  }
}
