// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.cluster;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** What a node is called. */
public final class NodeNames {
  private NodeNames() {}

  /**
   * The name of this node in the cluster view: as YARN's, but without a port that changes with
   * every NodeManager, because an operator's drain is to outlive it.
   */
  public static String inClusterView(Configuration conf) {
    InetSocketAddress address = nodeAddress(conf);
    String host = isEverywhere(address) ? NetUtils.getLocalHostname() : address.getHostString();
    return withPort(host, address);
  }

  /**
   * The same as the ResourceManager has it, which knows hosts by their full name; empty if that
   * cannot be told.
   */
  public static String inYarn(Configuration conf) {
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
}
