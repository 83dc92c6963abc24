// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.cluster;

import io.hottub.yarn.config.HotTubConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * How to take part in the cluster view.
 *
 * @param connect ZooKeeper's servers, host:port with commas between them
 * @param root path below which everything is
 * @param scheme how to authenticate
 * @param keytab for {@link Scheme#SASL}: the login that needs no JAAS configuration
 * @param credentials for {@link Scheme#DIGEST}: a file as {@link Credentials} reads it
 * @param readers who may read beside those that authenticate as this process does, as scheme:id
 * @param publishInterval shortest time between two publications of a node
 * @param warmingNodes so many nodes at most warm their JVMs at the same time
 * @param sessionTimeout after which ZooKeeper takes a node that is silent for dead
 */
public record ClusterSettings(
    String connect,
    String root,
    Scheme scheme,
    Optional<KeytabLogin> keytab,
    Optional<Path> credentials,
    List<String> readers,
    Duration publishInterval,
    int warmingNodes,
    Duration sessionTimeout) {

  /** Names of ZooKeeper's own. There is none without authentication. */
  public enum Scheme {
    SASL,
    DIGEST
  }

  /** For nodes and operators; empty where no cluster view is wanted. */
  public static Optional<ClusterSettings> read(Configuration conf) {
    return read(conf, YarnConfiguration.NM_PRINCIPAL, YarnConfiguration.NM_KEYTAB);
  }

  /** For the ResourceManager; empty where no cluster view is wanted. */
  public static Optional<ClusterSettings> readForResourceManager(Configuration conf) {
    return read(conf, YarnConfiguration.RM_PRINCIPAL, YarnConfiguration.RM_KEYTAB);
  }

  private static Optional<ClusterSettings> read(
      Configuration conf, String principalKey, String keytabKey) {
    String connect = HotTubConfig.CLUSTER_CONNECT.read(conf);
    if (connect.isEmpty()) {
      return Optional.empty();
    }
    String readers = HotTubConfig.CLUSTER_READERS.read(conf);
    return Optional.of(
        new ClusterSettings(
            connect,
            HotTubConfig.CLUSTER_ROOT.read(conf),
            Scheme.valueOf(HotTubConfig.CLUSTER_AUTH.read(conf).toUpperCase(Locale.ROOT)),
            KeytabLogin.read(conf, principalKey, keytabKey),
            HotTubConfig.CLUSTER_CREDENTIALS.read(conf),
            readers.isEmpty() ? List.of() : List.of(readers.split(",", -1)),
            Duration.ofMillis(HotTubConfig.CLUSTER_PUBLISH_INTERVAL_MS.read(conf)),
            HotTubConfig.CLUSTER_WARMING_NODES.read(conf),
            Duration.ofMillis(HotTubConfig.CLUSTER_SESSION_TIMEOUT_MS.read(conf))));
  }
}
