// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.yarn.config.HotTubConfig;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;

class ClusterSettingsTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void theClusterViewIsOffByDefault() {
    assertEquals(Optional.empty(), ClusterSettings.read(conf));
    conf.set(HotTubConfig.CLUSTER_CONNECT.name(), "not an address");
    assertEquals(Optional.empty(), ClusterSettings.read(conf));
  }

  @Test
  void theClusterView() {
    conf.set(HotTubConfig.CLUSTER_CONNECT.name(), "zk1:2181,zk2:2181");
    conf.set(HotTubConfig.CLUSTER_ROOT.name(), "/a/../b/");
    conf.set(HotTubConfig.CLUSTER_AUTH.name(), "none");
    conf.set(HotTubConfig.CLUSTER_READERS.name(), "sasl:ops,digest:a:b=");
    assertEquals(
        new ClusterSettings(
            "zk1:2181,zk2:2181",
            "/hottub",
            ClusterSettings.Scheme.SASL,
            Optional.empty(),
            Optional.empty(),
            List.of("sasl:ops", "digest:a:b="),
            Duration.ofSeconds(10),
            10,
            Duration.ofSeconds(30)),
        ClusterSettings.read(conf).orElseThrow());
  }

  @Test
  void theClusterViewUsesTheNodeManagersKeytab() {
    conf.set(HotTubConfig.CLUSTER_CONNECT.name(), "zk1:2181");
    // Hadoop has a default for it.
    conf.set(YarnConfiguration.NM_KEYTAB, "/etc/krb5.keytab");
    assertEquals(Optional.empty(), ClusterSettings.read(conf).orElseThrow().keytab());
    conf.set(YarnConfiguration.NM_PRINCIPAL, "nm/_HOST@EXAMPLE.COM");
    assertEquals(
        Optional.of(new KeytabLogin("nm/_HOST@EXAMPLE.COM", "/etc/krb5.keytab")),
        ClusterSettings.read(conf).orElseThrow().keytab());
  }

  @Test
  void theResourceManagerHasAKeytabOfItsOwn() {
    conf.set(HotTubConfig.CLUSTER_CONNECT.name(), "zk1:2181");
    conf.set(YarnConfiguration.NM_PRINCIPAL, "nm/_HOST@EXAMPLE.COM");
    conf.set(YarnConfiguration.NM_KEYTAB, "/etc/nm.keytab");
    conf.set(YarnConfiguration.RM_PRINCIPAL, "rm/_HOST@EXAMPLE.COM");
    conf.set(YarnConfiguration.RM_KEYTAB, "/etc/rm.keytab");
    assertEquals(
        Optional.of(new KeytabLogin("rm/_HOST@EXAMPLE.COM", "/etc/rm.keytab")),
        ClusterSettings.readForResourceManager(conf).orElseThrow().keytab());
  }

  @Test
  void theNodeIsCalledAsYarnCallsIt() throws Exception {
    conf.set(YarnConfiguration.NM_ADDRESS, "127.0.0.1:8041");
    assertEquals(
        InetAddress.getLoopbackAddress().getCanonicalHostName() + ":8041", NodeNames.inYarn(conf));
    conf.set(YarnConfiguration.NM_ADDRESS, "0.0.0.0:0");
    assertEquals(InetAddress.getLocalHost().getCanonicalHostName(), NodeNames.inYarn(conf));
    conf.set(YarnConfiguration.NM_ADDRESS, "worker.invalid:0");
    assertEquals("", NodeNames.inYarn(conf));
  }

  @Test
  void theNameOfTheNodeOutlivesItsNodeManager() {
    conf.set(YarnConfiguration.NM_ADDRESS, "worker.invalid:0");
    assertEquals("worker.invalid", NodeNames.inClusterView(conf));
    conf.set(YarnConfiguration.NM_ADDRESS, "worker.invalid:8041");
    assertEquals("worker.invalid:8041", NodeNames.inClusterView(conf));
    conf.set(YarnConfiguration.NM_ADDRESS, "0.0.0.0:0");
    assertEquals(NetUtils.getLocalHostname(), NodeNames.inClusterView(conf));
  }
}
