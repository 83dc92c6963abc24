// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import io.hottub.protocol.JvmState;
import io.hottub.protocol.PoolLimits;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides which JVMs have to go. Clients and keepers obey the same limits by themselves; this is
 * for what they cannot know: limits that were lowered, and two clients that started JVMs at once.
 */
final class PoolPolicy {
  private final PoolLimits limits;

  PoolPolicy(PoolLimits limits) {
    this.limits = limits;
  }

  /** Only idle JVMs are chosen; of those, the least recently used first. */
  Map<PooledJvm, RetireReason> toRetire(PoolView view) {
    List<PooledJvm> staying =
        view.jvms().stream().filter(jvm -> jvm.state().state() != JvmState.RETIRING).toList();
    Map<String, Integer> ofFingerprint = new HashMap<>();
    for (PooledJvm jvm : staying) {
      ofFingerprint.merge(fingerprint(jvm), 1, Integer::sum);
    }
    List<PooledJvm> leastRecentlyUsedFirst =
        staying.stream()
            .filter(jvm -> jvm.state().state() == JvmState.IDLE)
            .sorted(Comparator.comparingLong(PoolPolicy::idleMs).reversed())
            .toList();

    Map<PooledJvm, RetireReason> chosen = new LinkedHashMap<>();
    for (PooledJvm jvm : leastRecentlyUsedFirst) {
      RetireReason reason = null;
      if (idleMs(jvm) > limits.idleSeconds() * 1000L) {
        reason = RetireReason.IDLE_TOO_LONG;
      } else if (jvm.state().run() != null && jvm.state().run() >= limits.maxLeases()) {
        reason = RetireReason.TOO_MANY_LEASES;
      } else if (staying.size() - chosen.size() > limits.maxJvms()) {
        reason = RetireReason.TOO_MANY_JVMS;
      } else if (ofFingerprint.get(fingerprint(jvm)) > limits.maxJvmsPerFingerprint()) {
        reason = RetireReason.TOO_MANY_OF_FINGERPRINT;
      }
      if (reason != null) {
        chosen.put(jvm, reason);
        ofFingerprint.merge(fingerprint(jvm), -1, Integer::sum);
      }
    }
    return chosen;
  }

  private static String fingerprint(PooledJvm jvm) {
    return jvm.socket().fingerprintPrefix();
  }

  private static long idleMs(PooledJvm jvm) {
    return jvm.state().idleMs() == null ? 0 : jvm.state().idleMs();
  }
}
