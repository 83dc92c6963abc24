// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import io.hottub.protocol.PoolDirectory;
import io.hottub.protocol.PoolLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
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

  static final IntKey MAX_JVMS_PER_TENANT =
      new IntKey(
          PREFIX + "max-jvms-per-tenant",
          1024,
          1,
          1024,
          "JVMs",
          "Pooled JVMs of one YARN user; kept by the service, which retires idle ones at its next"
              + " look");

  static final IntKey MIN_IDLE =
      new IntKey(
          PREFIX + "min-idle",
          0,
          0,
          1024,
          "JVMs",
          "So many idle JVMs stay however long they have been idle: the most useful ones. Memory"
              + " limits and give-way come first");

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

  static final IntKey MAX_AGE_SECONDS =
      new IntKey(
          PREFIX + "max-age-seconds",
          86_400,
          1,
          31_536_000,
          "seconds",
          "A JVM that is older retires, after its lease if it has one");

  static final IntKey IDLE_MEMORY_MB =
      new IntKey(
          PREFIX + "idle-memory-mb",
          4_096,
          0,
          16_777_216,
          "MiB",
          "Resident memory of all idle JVMs together; above it, the least useful retire first."
              + " Usefulness: leases served, per memory and time idle");

  static final BoolKey YIELD_TO_CONTAINERS =
      new BoolKey(
          PREFIX + "yield-to-containers",
          false,
          "Idle JVMs only take what YARN has not allocated to containers: idle-memory-mb is also"
              + " bounded by yarn.nodemanager.resource.memory-mb less all running containers. Off:"
              + " the operator has set idle-memory-mb aside");

  static final PathKey PRESSURE_FILE =
      new PathKey(
          PREFIX + "pressure-file",
          "/proc/pressure/memory",
          "Where the kernel tells memory pressure (PSI); without that file there is no give-way");

  static final IntKey PRESSURE_PERCENT =
      new IntKey(
          PREFIX + "pressure-percent",
          10,
          1,
          100,
          "percent",
          "Give-way: while some task waited for memory for more than this share of the last 10"
              + " seconds, half of the idle JVMs retire in every second");

  static final IntKey CRASHES =
      new IntKey(
          PREFIX + "crashes",
          3,
          0,
          1_000,
          "crashes",
          "Circuit breaker: after so many crashes of JVMs of one fingerprint within crash-seconds,"
              + " its runs are cold for crash-cold-seconds; 0 turns it off");

  static final IntKey CRASH_SECONDS =
      new IntKey(PREFIX + "crash-seconds", 300, 1, 86_400, "seconds", "See crashes");

  static final IntKey CRASH_COLD_SECONDS =
      new IntKey(PREFIX + "crash-cold-seconds", 600, 1, 86_400, "seconds", "See crashes");

  static final AddressKey PROMETHEUS_ADDRESS =
      new AddressKey(
          PREFIX + "prometheus-address",
          "Serves all metrics as Prometheus text at /metrics; without authentication, so bind it"
              + " to loopback or to a network of the operator's");

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
          MAX_JVMS_PER_TENANT,
          MIN_IDLE,
          IDLE_SECONDS,
          MAX_LEASES,
          MAX_AGE_SECONDS,
          IDLE_MEMORY_MB,
          YIELD_TO_CONTAINERS,
          PRESSURE_FILE,
          PRESSURE_PERCENT,
          CRASHES,
          CRASH_SECONDS,
          CRASH_COLD_SECONDS,
          PROMETHEUS_ADDRESS,
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

  static PolicyLimits policy(Configuration conf) {
    return new PolicyLimits(
        limits(conf),
        MAX_JVMS_PER_TENANT.read(conf),
        MIN_IDLE.read(conf),
        MAX_AGE_SECONDS.read(conf),
        mebibytes(IDLE_MEMORY_MB.read(conf)));
  }

  static CrashBreaker.Rule breaker(Configuration conf) {
    return new CrashBreaker.Rule(
        CRASHES.read(conf),
        Duration.ofSeconds(CRASH_SECONDS.read(conf)),
        Duration.ofSeconds(CRASH_COLD_SECONDS.read(conf)));
  }

  static MemoryPressure pressure(Configuration conf) {
    Path file = PRESSURE_FILE.read(conf).orElse(Path.of(PRESSURE_FILE.defaultText()));
    return new MemoryPressure(file, PRESSURE_PERCENT.read(conf));
  }

  static long mebibytes(int count) {
    return (long) count << 20;
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
