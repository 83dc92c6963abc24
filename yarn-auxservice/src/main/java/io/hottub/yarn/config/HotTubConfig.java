// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.config;

import static io.hottub.yarn.config.ConfigKey.choice;
import static io.hottub.yarn.config.ConfigKey.flag;
import static io.hottub.yarn.config.ConfigKey.number;
import static io.hottub.yarn.config.ConfigKey.optionalAddress;
import static io.hottub.yarn.config.ConfigKey.optionalNumber;
import static io.hottub.yarn.config.ConfigKey.optionalPath;
import static io.hottub.yarn.config.ConfigKey.path;
import static io.hottub.yarn.config.ConfigKey.text;

import io.hottub.protocol.Isolation;
import io.hottub.protocol.NoPoolException;
import io.hottub.protocol.PoolDirectory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/**
 * All settings of HotTub in {@code yarn-site.xml}. Each is declared here, once; {@code
 * docs/configuration.md} is generated from them. What belongs together is read by those that it is
 * for: {@code PolicyLimits}, {@code ClusterSettings} and others.
 */
public final class HotTubConfig {
  static final String PREFIX = "yarn.nodemanager.aux-services.hottub.";

  /** The release that has a setting first. */
  private static final String V0_1 = "0.1.0";

  /** An entry of {@link #ISOLATION_OF_USERS}, for readers. */
  static final String USER_AND_ISOLATION =
      "USER="
          + Arrays.stream(Isolation.values())
              .map(Isolation::word)
              .collect(Collectors.joining(" or USER="));

  private static final List<ConfigKey<?>> KEYS = new ArrayList<>();

  public static final ConfigKey<Optional<Path>> HOME =
      declared(
          optionalPath(
              PREFIX + "home",
              V0_1,
              "none: nothing is routed",
              "HotTub home on this node: the JAVA_HOME of containers whose application asks for HotTub"));

  /** A name or an address, one of IPv6 in brackets, and a port from 1 to 65535. */
  private static final String SERVER =
      "([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])"
          + "(:([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?";

  public static final ConfigKey<Optional<Path>> DIR =
      declared(
          optionalPath(
              PREFIX + "dir",
              V0_1,
              "as the client",
              "Root of the pool, at most 50 bytes long; containers get it as HOTTUB_DIR. By default"
                  + " /run/hottub where it may be used, else the user's runtime directory"));

  public static final ConfigKey<Optional<Integer>> MAX_JVMS =
      declared(
          optionalNumber(
              PREFIX + "max-jvms",
              V0_1,
              "one for 64 MiB of idle-memory, 8 to 256",
              0,
              1024,
              "JVMs",
              "Pooled JVMs on the node; 0 turns pooling off"));

  public static final ConfigKey<Optional<Integer>> MAX_JVMS_PER_FINGERPRINT =
      declared(
          optionalNumber(
              PREFIX + "max-jvms-per-fingerprint",
              V0_1,
              "half of max-jvms, 8 or more",
              1,
              1024,
              "JVMs",
              "Pooled JVMs that serve the same class path and options"));

  public static final ConfigKey<Integer> MAX_JVMS_PER_TENANT =
      declared(
          number(
              PREFIX + "max-jvms-per-tenant",
              V0_1,
              1024,
              1,
              1024,
              "JVMs",
              "Pooled JVMs of one YARN user; kept by the service, which retires idle ones at its next"
                  + " look"));

  public static final ConfigKey<Integer> MIN_IDLE =
      declared(
          number(
              PREFIX + "min-idle",
              V0_1,
              0,
              0,
              1024,
              "JVMs",
              "So many idle JVMs stay however long they have been idle: the most useful ones. Memory"
                  + " limits and give-way come first"));

  public static final ConfigKey<Integer> IDLE_SECONDS =
      declared(
          number(
              PREFIX + "idle-seconds",
              V0_1,
              900,
              1,
              604_800,
              "seconds",
              "A JVM without a lease for this long retires"));

  public static final ConfigKey<Integer> MAX_LEASES =
      declared(
          number(
              PREFIX + "max-leases",
              V0_1,
              1000,
              1,
              1_000_000,
              "leases",
              "A JVM retires after this many"));

  public static final ConfigKey<Isolation> ISOLATION =
      declared(
          choice(
              PREFIX + "isolation",
              V0_1,
              Isolation.CLONE,
              List.of(Isolation.values()),
              Isolation::word,
              "How containers are served whose application does not choose itself: by JVMs that are"
                  + " reset (reuse), or each by a copy of a trained JVM, which ends with it (clone;"
                  + " strict: of one that only recipes have trained), see clones.md. Of these only strict"
                  + " holds for runs outside of containers, too"));

  public static final ConfigKey<String> ISOLATION_OF_USERS =
      declared(
          text(
              PREFIX + "isolation-of-users",
              V0_1,
              "",
              "(?s).*",
              USER_AND_ISOLATION + ", several with commas between",
              "How runs in containers of some YARN users are served, in place of isolation; what an"
                  + " application has set comes before both"));

  public static final ConfigKey<Integer> MAX_AGE_SECONDS =
      declared(
          number(
              PREFIX + "max-age-seconds",
              V0_1,
              86_400,
              1,
              31_536_000,
              "seconds",
              "A JVM that is older retires, after its lease if it has one"));

  public static final ConfigKey<Optional<Integer>> IDLE_MEMORY_MB =
      declared(
          optionalNumber(
              PREFIX + "idle-memory-mb",
              V0_1,
              "a quarter of the machine's memory, at most 16384",
              0,
              16_777_216,
              "MiB",
              "Resident memory of all idle JVMs of a user; what makes them more ends the least useful."
                  + " Usefulness: leases served, per memory and time idle"));

  public static final ConfigKey<Boolean> YIELD_TO_CONTAINERS =
      declared(
          flag(
              PREFIX + "yield-to-containers",
              V0_1,
              false,
              "Idle JVMs only take what YARN has not allocated to containers: idle-memory-mb is also"
                  + " bounded by yarn.nodemanager.resource.memory-mb less all running containers. Off:"
                  + " the operator has set idle-memory-mb aside"));

  public static final ConfigKey<Path> PRESSURE_FILE =
      declared(
          path(
              PREFIX + "pressure-file",
              V0_1,
              Path.of("/proc/pressure/memory"),
              "Where the kernel tells memory pressure (PSI); without that file there is no give-way"));

  public static final ConfigKey<Integer> PRESSURE_PERCENT =
      declared(
          number(
              PREFIX + "pressure-percent",
              V0_1,
              10,
              1,
              100,
              "percent",
              "Give-way: while some task waited for memory for more than this share of the last 10"
                  + " seconds, half of the idle JVMs retire in every second"));

  public static final ConfigKey<Integer> CRASHES =
      declared(
          number(
              PREFIX + "crashes",
              V0_1,
              3,
              0,
              1_000,
              "crashes",
              "Circuit breaker: after so many crashes of JVMs of one fingerprint within crash-seconds,"
                  + " its runs are cold for crash-cold-seconds; 0 turns it off"));

  public static final ConfigKey<Integer> CRASH_SECONDS =
      declared(number(PREFIX + "crash-seconds", V0_1, 300, 1, 86_400, "seconds", "See crashes"));

  public static final ConfigKey<Integer> CRASH_COLD_SECONDS =
      declared(
          number(PREFIX + "crash-cold-seconds", V0_1, 600, 1, 86_400, "seconds", "See crashes"));

  public static final ConfigKey<Optional<InetSocketAddress>> PROMETHEUS_ADDRESS =
      declared(
          optionalAddress(
              PREFIX + "prometheus-address",
              V0_1,
              "Serves all metrics as Prometheus text at /metrics; without authentication, so bind it"
                  + " to loopback or to a network of the operator's"));

  public static final ConfigKey<Boolean> NODE_PAGE =
      declared(
          flag(
              PREFIX + "node-page",
              V0_1,
              true,
              "Shows the pool at /node/hottub of the NodeManager's web server, to those who may see its"
                  + " other pages; only with HotTub's container executor"));

  public static final ConfigKey<Integer> SCAN_INTERVAL_MS =
      declared(
          number(
              PREFIX + "scan-interval-ms",
              V0_1,
              5_000,
              100,
              3_600_000,
              "milliseconds",
              "Time between two looks at all pooled JVMs"));

  public static final ConfigKey<Optional<Path>> RECIPES =
      declared(
          optionalPath(
              PREFIX + "recipes",
              V0_1,
              "none: nothing is warmed",
              "Folder of recipes, which warm JVMs while the node is idle"));

  public static final ConfigKey<Integer> RECIPE_CPU_PERCENT =
      declared(
          number(
              PREFIX + "recipe-cpu-percent",
              V0_1,
              50,
              1,
              100,
              "percent",
              "Recipes stop while everything else uses more than this share of the node's processors;"
                  + " 100: they do not look at processors"));

  public static final ConfigKey<Integer> REVOKE_WAIT_MS =
      declared(
          number(
              PREFIX + "revoke-wait-ms",
              V0_1,
              3_000,
              0,
              60_000,
              "milliseconds",
              "When a container is killed: longest wait for its leases to end before YARN's own"
                  + " signal follows"));

  public static final ConfigKey<String> CLUSTER_CONNECT =
      declared(
          text(
              PREFIX + "cluster-connect",
              V0_1,
              "",
              SERVER + "(," + SERVER + ")*",
              "host:port,host:port,...",
              "ZooKeeper's servers, for the cluster view; none: the node works by itself"));

  public static final ConfigKey<String> CLUSTER_ROOT =
      declared(
          text(
              PREFIX + "cluster-root",
              V0_1,
              "/hottub",
              "(/[A-Za-z0-9_][A-Za-z0-9._-]*)+",
              "path in ZooKeeper",
              "Everything is below it; the same for all nodes of a cluster"));

  public static final ConfigKey<String> CLUSTER_AUTH =
      declared(
          text(
              PREFIX + "cluster-auth",
              V0_1,
              "sasl",
              "sasl|digest",
              "sasl or digest",
              "How NodeManagers and operators authenticate with ZooKeeper. sasl: as the section Client of"
                  + " the JVM's JAAS configuration says; without one, on a cluster with Kerberos, with"
                  + " yarn.nodemanager.keytab and yarn.nodemanager.principal. digest: with"
                  + " cluster-credentials"));

  public static final ConfigKey<Optional<Path>> CLUSTER_CREDENTIALS =
      declared(
          optionalPath(
              PREFIX + "cluster-credentials",
              V0_1,
              "none",
              "For digest: a file with one line user:password, which only its owner may read"));

  public static final ConfigKey<String> CLUSTER_READERS =
      declared(
          text(
              PREFIX + "cluster-readers",
              V0_1,
              "",
              "[a-z0-9]+:[^,\\s]+(,[a-z0-9]+:[^,\\s]+)*",
              "scheme:id,scheme:id,...",
              "Who else may read the cluster view, as ZooKeeper names them. Only who authenticates as the"
                  + " NodeManagers do may change it"));

  public static final ConfigKey<Integer> CLUSTER_PUBLISH_INTERVAL_MS =
      declared(
          number(
              PREFIX + "cluster-publish-interval-ms",
              V0_1,
              10_000,
              100,
              3_600_000,
              "milliseconds",
              "Shortest time between two publications of this node's record, which also has to have"
                  + " changed"));

  public static final ConfigKey<Integer> CLUSTER_WARMING_NODES =
      declared(
          number(
              PREFIX + "cluster-warming-nodes",
              V0_1,
              10,
              1,
              10_000,
              "nodes",
              "So many nodes at most run recipes at the same time; the same for all nodes of a cluster."
                  + " A node without ZooKeeper waits a minute and goes on by itself"));

  public static final ConfigKey<Integer> CLUSTER_SESSION_TIMEOUT_MS =
      declared(
          number(
              PREFIX + "cluster-session-timeout-ms",
              V0_1,
              30_000,
              1_000,
              600_000,
              "milliseconds",
              "After this time without a sign of life the record of a node vanishes; ZooKeeper's own"
                  + " limits come first"));

  private HotTubConfig() {}

  private static <T> ConfigKey<T> declared(ConfigKey<T> key) {
    KEYS.add(key);
    return key;
  }

  /** All of them, in the order of the documentation. */
  static List<ConfigKey<?>> keys() {
    return Collections.unmodifiableList(KEYS);
  }

  /**
   * The pool of the user that the NodeManager runs as.
   *
   * @throws IOException if its root cannot be used
   */
  public static PoolDirectory pool(Configuration conf) throws IOException {
    Optional<Path> configured = DIR.read(conf);
    if (configured.isEmpty()) {
      return PoolDirectory.resolve(System.getenv());
    }
    try {
      return PoolDirectory.at(configured.get());
    } catch (IOException e) {
      throw new SettingException(
          DIR, configured.get().toString(), e.getMessage(), "name a folder with a shorter path");
    }
  }

  /**
   * The same, made if it is missing.
   *
   * @throws IOException if it cannot be made or is not safe
   */
  public static PoolDirectory preparedPool(Configuration conf) throws IOException {
    PoolDirectory pool = pool(conf);
    try {
      pool.create();
    } catch (NoPoolException e) {
      if (DIR.read(conf).isEmpty()) {
        throw e;
      }
      throw new SettingException(
          DIR,
          pool.root().toString(),
          e.details(),
          "name a folder that is the NodeManager's, or that it can make, and restart it");
    }
    return pool;
  }
}
