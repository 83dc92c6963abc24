// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

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
}
