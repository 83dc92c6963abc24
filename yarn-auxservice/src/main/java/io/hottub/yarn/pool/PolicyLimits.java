// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.pool;

import io.hottub.protocol.Isolation;
import io.hottub.protocol.PoolLimits;
import io.hottub.yarn.config.ConfigKey;
import io.hottub.yarn.config.HotTubConfig;
import java.util.ArrayList;
import java.util.List;
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

  /** What cannot all be, and what follows: a sentence for each. */
  public List<String> contradictions() {
    List<String> found = new ArrayList<>();
    if (shared.maxJvms() == 0) {
      return found; // pooling is off, which is no mistake
    }
    if (shared.idleMemoryMb() == 0) {
      found.add(
          HotTubConfig.IDLE_MEMORY_MB.name() + " is 0: no JVM may stay idle, all runs are cold");
    }
    if (shared.maxJvmsPerFingerprint() > shared.maxJvms()) {
      found.add(moreThanAll(HotTubConfig.MAX_JVMS_PER_FINGERPRINT, shared.maxJvmsPerFingerprint()));
    }
    if (minIdle > shared.maxJvms()) {
      found.add(moreThanAll(HotTubConfig.MIN_IDLE, minIdle));
    }
    return found;
  }

  private String moreThanAll(ConfigKey<?> key, int value) {
    return "%s is %d, more than the %d JVMs of %s, which is what counts"
        .formatted(key.name(), value, shared.maxJvms(), HotTubConfig.MAX_JVMS.name());
  }

  public static PolicyLimits read(Configuration conf) {
    PoolLimits machine = PoolLimits.ofThisMachine();
    int maxJvms = HotTubConfig.MAX_JVMS.read(conf).orElse(machine.maxJvms());
    return new PolicyLimits(
        new PoolLimits(
            maxJvms,
            HotTubConfig.MAX_JVMS_PER_FINGERPRINT
                .read(conf)
                .orElse(Math.max(1, Math.min(maxJvms, machine.maxJvmsPerFingerprint()))),
            HotTubConfig.IDLE_SECONDS.read(conf),
            HotTubConfig.MAX_LEASES.read(conf),
            HotTubConfig.IDLE_MEMORY_MB.read(conf).orElse(machine.idleMemoryMb()),
            outsideOfContainers(HotTubConfig.ISOLATION.read(conf))),
        HotTubConfig.MAX_JVMS_PER_TENANT.read(conf),
        HotTubConfig.MIN_IDLE.read(conf),
        HotTubConfig.MAX_AGE_SECONDS.read(conf));
  }

  // A command of milliseconds is served best by a JVM that is there, see clones.md.
  private static Isolation outsideOfContainers(Isolation ofContainers) {
    return ofContainers == Isolation.STRICT ? Isolation.STRICT : Isolation.REUSE;
  }
}
