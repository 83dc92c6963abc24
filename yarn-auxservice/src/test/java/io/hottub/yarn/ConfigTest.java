// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.hottub.protocol.PoolLimits;
import io.hottub.yarn.cluster.ClusterSettings;
import io.hottub.yarn.cluster.KeytabLogin;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void defaults() {
    assertEquals(new PoolLimits(16, 8, 900, 1000), HotTubConfig.limits(conf));
    assertEquals(Optional.empty(), HotTubConfig.HOME.read(conf));
  }

  @Test
  void configuredValues() throws Exception {
    conf.set(HotTubConfig.MAX_JVMS.name(), " 0 ");
    conf.set(HotTubConfig.HOME.name(), " /opt/hottub ");
    conf.set(HotTubConfig.DIR.name(), "/run/pool");
    assertEquals(0, HotTubConfig.MAX_JVMS.read(conf));
    assertEquals(Optional.of(Path.of("/opt/hottub")), HotTubConfig.HOME.read(conf));
    assertEquals(Path.of("/run/pool"), HotTubConfig.pool(conf).root());
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "1025", "many", "1e3", ""})
  void numbersThatAreNotAllowedBecomeTheDefault(String text) {
    conf.set(HotTubConfig.MAX_JVMS.name(), text);
    assertEquals(16, HotTubConfig.MAX_JVMS.read(conf));
  }

  @ParameterizedTest
  @ValueSource(strings = {"relative/home", "\0", ""})
  void pathsThatAreNotAllowedAreIgnored(String text) {
    conf.set(HotTubConfig.HOME.name(), text);
    assertEquals(Optional.empty(), HotTubConfig.HOME.read(conf));
  }

  @Test
  void aRootThatIsTooLongIsAnError() {
    conf.set(HotTubConfig.DIR.name(), "/" + "x".repeat(80));
    assertThrows(IOException.class, () -> HotTubConfig.pool(conf));
  }

  @Test
  void theClusterViewIsOffByDefault() {
    assertEquals(Optional.empty(), HotTubConfig.cluster(conf));
    conf.set(HotTubConfig.CLUSTER_CONNECT.name(), "not an address");
    assertEquals(Optional.empty(), HotTubConfig.cluster(conf));
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
        HotTubConfig.cluster(conf).orElseThrow());
  }

  @Test
  void theClusterViewUsesTheNodeManagersKeytab() {
    conf.set(HotTubConfig.CLUSTER_CONNECT.name(), "zk1:2181");
    // Hadoop has a default for it.
    conf.set(YarnConfiguration.NM_KEYTAB, "/etc/krb5.keytab");
    assertEquals(Optional.empty(), HotTubConfig.cluster(conf).orElseThrow().keytab());
    conf.set(YarnConfiguration.NM_PRINCIPAL, "nm/_HOST@EXAMPLE.COM");
    assertEquals(
        Optional.of(new KeytabLogin("nm/_HOST@EXAMPLE.COM", "/etc/krb5.keytab")),
        HotTubConfig.cluster(conf).orElseThrow().keytab());
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
        HotTubConfig.clusterForResourceManager(conf).orElseThrow().keytab());
  }

  @Test
  void theNodeIsCalledAsYarnCallsIt() throws Exception {
    conf.set(YarnConfiguration.NM_ADDRESS, "127.0.0.1:8041");
    assertEquals(
        InetAddress.getLoopbackAddress().getCanonicalHostName() + ":8041",
        HotTubConfig.yarnNode(conf));
    conf.set(YarnConfiguration.NM_ADDRESS, "0.0.0.0:0");
    assertEquals(InetAddress.getLocalHost().getCanonicalHostName(), HotTubConfig.yarnNode(conf));
    conf.set(YarnConfiguration.NM_ADDRESS, "worker.invalid:0");
    assertEquals("", HotTubConfig.yarnNode(conf));
  }

  @Test
  void theNameOfTheNodeOutlivesItsNodeManager() {
    conf.set(YarnConfiguration.NM_ADDRESS, "worker.invalid:0");
    assertEquals("worker.invalid", HotTubConfig.nodeName(conf));
    conf.set(YarnConfiguration.NM_ADDRESS, "worker.invalid:8041");
    assertEquals("worker.invalid:8041", HotTubConfig.nodeName(conf));
    conf.set(YarnConfiguration.NM_ADDRESS, "0.0.0.0:0");
    assertEquals(NetUtils.getLocalHostname(), HotTubConfig.nodeName(conf));
  }
}
