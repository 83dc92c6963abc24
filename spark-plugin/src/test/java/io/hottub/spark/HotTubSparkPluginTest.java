// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.junit.jupiter.api.Test;

class HotTubSparkPluginTest {
  private static final String EXECUTOR = "spark.executorEnv.JAVA_HOME";
  private static final String MASTER = "spark.yarn.appMasterEnv.JAVA_HOME";

  private final SparkConf conf = new SparkConf(false);

  private void apply() {
    new HotTubSparkPlugin.ContainerRouting(conf).apply();
  }

  @Test
  void routesMasterAndExecutors() {
    conf.set(SparkKeys.ENABLED, "true").set(SparkKeys.HOME, "/opt/hottub");
    apply();
    assertEquals("/opt/hottub", conf.get(EXECUTOR));
    assertEquals("/opt/hottub", conf.get(MASTER));
  }

  @Test
  void anApplicationsOwnJavaHomeStays() {
    conf.set(SparkKeys.ENABLED, "true").set(SparkKeys.HOME, "/opt/hottub");
    conf.set(EXECUTOR, "/jdk");
    apply();
    assertEquals("/jdk", conf.get(EXECUTOR));
    assertEquals("/opt/hottub", conf.get(MASTER));
  }

  @Test
  void handsTheIsolationToMasterAndExecutorsAlsoWithoutAHome() {
    conf.set(SparkKeys.ENABLED, "true").set(SparkKeys.ISOLATION, "clone");
    conf.set("spark.executorEnv.HOTTUB_ISOLATION", "reuse");
    apply();
    assertEquals("clone", conf.get("spark.yarn.appMasterEnv.HOTTUB_ISOLATION"));
    assertEquals("reuse", conf.get("spark.executorEnv.HOTTUB_ISOLATION"), "the application's own");
    assertFalse(conf.contains(EXECUTOR));
  }

  @Test
  void anIsolationThatThereIsNotIsNotHandedOver() {
    conf.set(SparkKeys.ENABLED, "true").set(SparkKeys.ISOLATION, "clones");
    apply();
    assertFalse(conf.contains("spark.executorEnv.HOTTUB_ISOLATION"));
    assertFalse(conf.contains("spark.yarn.appMasterEnv.HOTTUB_ISOLATION"));
  }

  @Test
  void doesNothingUnasked() {
    conf.set(SparkKeys.HOME, "/opt/hottub");
    apply();
    assertFalse(conf.contains(EXECUTOR));
    conf.set(SparkKeys.ENABLED, "false");
    apply();
    assertFalse(conf.contains(EXECUTOR));
  }

  @Test
  void withoutAHomeTheNodesDecide() {
    conf.set(SparkKeys.ENABLED, "true");
    apply();
    assertFalse(conf.contains(EXECUTOR));
  }

  private static String page(String address) throws Exception {
    try (InputStream in = URI.create(address).toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void sparkLoadsItAsAPlugIn() throws Exception {
    conf.setMaster("local[1]")
        .setAppName("plug-in")
        .set("spark.plugins", HotTubSparkPlugin.class.getName())
        .set("spark.ui.port", "0")
        .set("spark.driver.host", "127.0.0.1")
        .set("spark.driver.bindAddress", "127.0.0.1")
        .set(SparkKeys.ENABLED, "true")
        .set(SparkKeys.HOME, "/opt/hottub");
    SparkContext context = new SparkContext(conf);
    try {
      assertEquals("/opt/hottub", context.conf().get(EXECUTOR));
      String shown = "";
      for (int i = 0; i < 200 && !shown.contains("spark.hottub.jvm."); i++) {
        Thread.sleep(100);
        shown = context.statusStore().environmentInfo().sparkProperties().toString();
      }
      assertTrue(shown.contains("(spark.hottub.jvm.driver,cold: other-java)"), shown);
      String tab = page(context.uiWebUrl().get() + "/hottub/");
      assertTrue(tab.contains("0 of 1 JVMs were warm"), tab);
      assertTrue(tab.contains("<td>driver</td><td>cold: other-java ("), tab);
      assertTrue(page(context.uiWebUrl().get() + "/jobs/").contains("/hottub/\">HotTub</a>"));
    } finally {
      context.stop();
    }
  }
}
