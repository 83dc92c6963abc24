// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.tez;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.apache.hadoop.conf.Configuration;
import org.apache.tez.dag.api.TezConfiguration;
import org.junit.jupiter.api.Test;

class HotTubTezTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void routesMasterAndTasks() {
    conf.set(TezKeys.ENABLED, "true");
    conf.set(TezKeys.HOME, "/opt/hottub");
    conf.set(TezConfiguration.TEZ_TASK_LAUNCH_ENV, "A=1,B=2");
    HotTubTez.route(conf);
    assertEquals("JAVA_HOME=/opt/hottub", conf.get(TezConfiguration.TEZ_AM_LAUNCH_ENV));
    assertEquals("A=1,B=2,JAVA_HOME=/opt/hottub", conf.get(TezConfiguration.TEZ_TASK_LAUNCH_ENV));
  }

  @Test
  void anApplicationsOwnJavaHomeStays() {
    conf.set(TezKeys.ENABLED, "true");
    conf.set(TezKeys.HOME, "/opt/hottub");
    conf.set(TezConfiguration.TEZ_AM_LAUNCH_ENV, "A=1, JAVA_HOME=/jdk");
    HotTubTez.route(conf);
    assertEquals("A=1, JAVA_HOME=/jdk", conf.get(TezConfiguration.TEZ_AM_LAUNCH_ENV));
  }

  @Test
  void handsTheIsolationOverAlsoWithoutAHome() {
    conf.set(TezKeys.ENABLED, "true");
    conf.set(TezKeys.ISOLATION, " clone ");
    conf.set(TezConfiguration.TEZ_TASK_LAUNCH_ENV, "HOTTUB_ISOLATION=reuse");
    HotTubTez.route(conf);
    assertEquals("HOTTUB_ISOLATION=clone", conf.get(TezConfiguration.TEZ_AM_LAUNCH_ENV));
    assertEquals("HOTTUB_ISOLATION=reuse", conf.get(TezConfiguration.TEZ_TASK_LAUNCH_ENV));
  }

  @Test
  void anIsolationThatThereIsNotIsNotHandedOver() {
    conf.set(TezKeys.ENABLED, "true");
    conf.set(TezKeys.ISOLATION, "clone,A=b");
    HotTubTez.route(conf);
    assertNull(conf.get(TezConfiguration.TEZ_AM_LAUNCH_ENV));
  }

  @Test
  void doesNothingUnaskedOrWithoutAHome() {
    conf.set(TezKeys.HOME, "/opt/hottub");
    HotTubTez.route(conf);
    assertNull(conf.get(TezConfiguration.TEZ_AM_LAUNCH_ENV));

    conf.unset(TezKeys.HOME);
    conf.set(TezKeys.ENABLED, "true");
    HotTubTez.route(conf);
    assertNull(conf.get(TezConfiguration.TEZ_AM_LAUNCH_ENV));
  }
}
