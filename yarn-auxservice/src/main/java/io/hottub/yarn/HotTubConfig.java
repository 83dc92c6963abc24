// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import io.hottub.protocol.PoolDirectory;
import io.hottub.protocol.PoolLimits;
import io.hottub.yarn.cluster.ClusterSettings;
import io.hottub.yarn.cluster.KeytabLogin;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

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

  static final PathKey RECIPES =
      new PathKey(
          PREFIX + "recipes",
          "none: nothing is warmed",
          "Folder of recipes, which warm JVMs while the node is idle");

  static final IntKey RECIPE_CPU_PERCENT =
      new IntKey(
          PREFIX + "recipe-cpu-percent",
          50,
          1,
          100,
          "percent",
          "Recipes stop while everything else uses more than this share of the node's processors;"
              + " 100: they do not look at processors");

  static final IntKey REVOKE_WAIT_MS =
      new IntKey(
          PREFIX + "revoke-wait-ms",
          3_000,
          0,
          60_000,
          "milliseconds",
          "When a container is killed: longest wait for its leases to end before YARN's own"
              + " signal follows");

  static final TextKey CLUSTER_CONNECT =
      new TextKey(
          PREFIX + "cluster-connect",
          "",
          "[A-Za-z0-9._\\[\\]:-]+(,[A-Za-z0-9._\\[\\]:-]+)*",
          "host:port,host:port,...",
          "ZooKeeper's servers, for the cluster view; none: the node works by itself");

  static final TextKey CLUSTER_ROOT =
      new TextKey(
          PREFIX + "cluster-root",
          "/hottub",
          "(/[A-Za-z0-9_][A-Za-z0-9._-]*)+",
          "path in ZooKeeper",
          "Everything is below it; the same for all nodes of a cluster");

  static final TextKey CLUSTER_AUTH =
      new TextKey(
          PREFIX + "cluster-auth",
          "sasl",
          "sasl|digest",
          "sasl or digest",
          "How NodeManagers and operators authenticate with ZooKeeper. sasl: as the section Client of"
              + " the JVM's JAAS configuration says; without one, on a cluster with Kerberos, with"
              + " yarn.nodemanager.keytab and yarn.nodemanager.principal. digest: with"
              + " cluster-credentials");

  static final PathKey CLUSTER_CREDENTIALS =
      new PathKey(
          PREFIX + "cluster-credentials",
          "none",
          "For digest: a file with one line user:password, which only its owner may read");

  static final TextKey CLUSTER_READERS =
      new TextKey(
          PREFIX + "cluster-readers",
          "",
          "[a-z0-9]+:[^,\\s]+(,[a-z0-9]+:[^,\\s]+)*",
          "scheme:id,scheme:id,...",
          "Who else may read the cluster view, as ZooKeeper names them. Only who authenticates as the"
              + " NodeManagers do may change it");

  static final IntKey CLUSTER_PUBLISH_INTERVAL_MS =
      new IntKey(
          PREFIX + "cluster-publish-interval-ms",
          10_000,
          100,
          3_600_000,
          "milliseconds",
          "Shortest time between two publications of this node's record, which also has to have"
              + " changed");

  static final IntKey CLUSTER_WARMING_NODES =
      new IntKey(
          PREFIX + "cluster-warming-nodes",
          10,
          1,
          10_000,
          "nodes",
          "So many nodes at most run recipes at the same time; the same for all nodes of a cluster."
              + " A node without ZooKeeper waits a minute and goes on by itself");

  static final IntKey CLUSTER_SESSION_TIMEOUT_MS =
      new IntKey(
          PREFIX + "cluster-session-timeout-ms",
          30_000,
          1_000,
          600_000,
          "milliseconds",
          "After this time without a sign of life the record of a node vanishes; ZooKeeper's own"
              + " limits come first");

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
          RECIPES,
          RECIPE_CPU_PERCENT,
          REVOKE_WAIT_MS,
          CLUSTER_CONNECT,
          CLUSTER_ROOT,
          CLUSTER_AUTH,
          CLUSTER_CREDENTIALS,
          CLUSTER_READERS,
          CLUSTER_PUBLISH_INTERVAL_MS,
          CLUSTER_WARMING_NODES,
          CLUSTER_SESSION_TIMEOUT_MS);

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

  /** For nodes and operators; empty where no cluster view is wanted. */
  static Optional<ClusterSettings> cluster(Configuration conf) {
    return cluster(conf, keytab(conf, YarnConfiguration.NM_PRINCIPAL, YarnConfiguration.NM_KEYTAB));
  }

  /** For the ResourceManager; empty where no cluster view is wanted. */
  static Optional<ClusterSettings> clusterForResourceManager(Configuration conf) {
    return cluster(conf, keytab(conf, YarnConfiguration.RM_PRINCIPAL, YarnConfiguration.RM_KEYTAB));
  }

  private static Optional<ClusterSettings> cluster(
      Configuration conf, Optional<KeytabLogin> keytab) {
    String connect = CLUSTER_CONNECT.read(conf);
    if (connect.isEmpty()) {
      return Optional.empty();
    }
    String readers = CLUSTER_READERS.read(conf);
    return Optional.of(
        new ClusterSettings(
            connect,
            CLUSTER_ROOT.read(conf),
            ClusterSettings.Scheme.valueOf(CLUSTER_AUTH.read(conf).toUpperCase(Locale.ROOT)),
            keytab,
            CLUSTER_CREDENTIALS.read(conf),
            readers.isEmpty() ? List.of() : List.of(readers.split(",", -1)),
            Duration.ofMillis(CLUSTER_PUBLISH_INTERVAL_MS.read(conf)),
            CLUSTER_WARMING_NODES.read(conf),
            Duration.ofMillis(CLUSTER_SESSION_TIMEOUT_MS.read(conf))));
  }

  /** Empty on a cluster without Kerberos. */
  private static Optional<KeytabLogin> keytab(
      Configuration conf, String principalKey, String keytabKey) {
    String principal = conf.getTrimmed(principalKey, "");
    String keytab = conf.getTrimmed(keytabKey, "");
    return principal.isEmpty() || keytab.isEmpty()
        ? Optional.empty()
        : Optional.of(new KeytabLogin(principal, keytab));
  }

  /**
   * The name of this node in the cluster view: as YARN's, but without a port that changes with
   * every NodeManager, because an operator's drain is to outlive it.
   */
  static String nodeName(Configuration conf) {
    InetSocketAddress address = nodeAddress(conf);
    String host = isEverywhere(address) ? NetUtils.getLocalHostname() : address.getHostString();
    return withPort(host, address);
  }

  /**
   * The same as the ResourceManager has it, which knows hosts by their full name; empty if that
   * cannot be told.
   */
  static String yarnNode(Configuration conf) {
    InetSocketAddress address = nodeAddress(conf);
    try {
      InetAddress host = isEverywhere(address) ? InetAddress.getLocalHost() : address.getAddress();
      return host == null ? "" : withPort(host.getCanonicalHostName(), address);
    } catch (UnknownHostException e) {
      return "";
    }
  }

  private static InetSocketAddress nodeAddress(Configuration conf) {
    return conf.getSocketAddr(
        YarnConfiguration.NM_ADDRESS,
        YarnConfiguration.DEFAULT_NM_ADDRESS,
        YarnConfiguration.DEFAULT_NM_PORT);
  }

  private static boolean isEverywhere(InetSocketAddress address) {
    return address.getAddress() != null && address.getAddress().isAnyLocalAddress();
  }

  private static String withPort(String host, InetSocketAddress address) {
    return address.getPort() == 0 ? host : host + ":" + address.getPort();
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
