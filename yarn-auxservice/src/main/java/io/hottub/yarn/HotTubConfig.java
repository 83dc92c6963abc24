// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import io.hottub.protocol.PoolDirectory;
import io.hottub.protocol.PoolLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * All settings of HotTub in {@code yarn-site.xml}. Each is declared here once; {@code
 * docs/configuration.md} is generated from {@link #KEYS}.
 */
final class HotTubConfig {
  private static final String PREFIX = "yarn.nodemanager.aux-services.hottub.";

  static final PathKey HOME =
      new PathKey(
          PREFIX + "home",
          "none: nothing is routed",
          "HotTub home on this node: the JAVA_HOME of containers whose application asks for HotTub");

  static final PathKey DIR =
      new PathKey(
          PREFIX + "dir",
          "as the client",
          "Root of the pool, at most 50 bytes long; containers get it as HOTTUB_DIR. By default"
              + " /run/hottub where it may be used, else the user's runtime directory");

  static final IntKey MAX_JVMS =
      new IntKey(
          PREFIX + "max-jvms", 16, 0, 1024, "JVMs", "Pooled JVMs on the node; 0 turns pooling off");

  static final IntKey MAX_JVMS_PER_FINGERPRINT =
      new IntKey(
          PREFIX + "max-jvms-per-fingerprint",
          8,
          1,
          1024,
          "JVMs",
          "Pooled JVMs that serve the same class path and options");

  static final IntKey IDLE_SECONDS =
      new IntKey(
          PREFIX + "idle-seconds",
          900,
          1,
          604_800,
          "seconds",
          "A JVM without a lease for this long retires");

  static final IntKey MAX_LEASES =
      new IntKey(
          PREFIX + "max-leases", 1000, 1, 1_000_000, "leases", "A JVM retires after this many");

  static final IntKey SCAN_INTERVAL_MS =
      new IntKey(
          PREFIX + "scan-interval-ms",
          5_000,
          100,
          3_600_000,
          "milliseconds",
          "Time between two looks at all pooled JVMs");

  static final IntKey REVOKE_WAIT_MS =
      new IntKey(
          PREFIX + "revoke-wait-ms",
          3_000,
          0,
          60_000,
          "milliseconds",
          "When a container is killed: longest wait for its leases to end before YARN's own"
              + " signal follows");

  static final List<ConfigKey> KEYS =
      List.of(
          HOME,
          DIR,
          MAX_JVMS,
          MAX_JVMS_PER_FINGERPRINT,
          IDLE_SECONDS,
          MAX_LEASES,
          SCAN_INTERVAL_MS,
          REVOKE_WAIT_MS);

  private HotTubConfig() {}

  static PoolLimits limits(Configuration conf) {
    return new PoolLimits(
        MAX_JVMS.read(conf),
        MAX_JVMS_PER_FINGERPRINT.read(conf),
        IDLE_SECONDS.read(conf),
        MAX_LEASES.read(conf));
  }

  /**
   * The pool of the user that the NodeManager runs as.
   *
   * @throws IOException if its root cannot be used
   */
  static PoolDirectory pool(Configuration conf) throws IOException {
    Optional<Path> configured = DIR.read(conf);
    return configured.isPresent()
        ? PoolDirectory.at(configured.get())
        : PoolDirectory.resolve(System.getenv());
  }
}
