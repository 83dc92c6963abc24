// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
/**
 * The cluster view: nodes tell ZooKeeper what their pools hold, and obey a switch that it keeps.
 * Only {@link io.hottub.yarn.cluster.ClusterClient} knows ZooKeeper. A node works without all of
 * it.
 *
 * <pre>
 * ROOT/switch        {@link io.hottub.yarn.cluster.ClusterSwitch}
 * ROOT/nodes/NAME    {@link io.hottub.yarn.cluster.NodeRecord}, ephemeral
 * </pre>
 */
package io.hottub.yarn.cluster;
