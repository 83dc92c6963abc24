// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.protocol.Isolation;
import io.hottub.yarn.log.LogLines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HotTubConfigTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void noHomeByDefault() {
    assertEquals(Optional.empty(), HotTubConfig.HOME.read(conf));
  }

  @Test
  void configuredValues() throws Exception {
    conf.set(HotTubConfig.MAX_JVMS.name(), " 0 ");
    conf.set(HotTubConfig.HOME.name(), " /opt/hottub ");
    conf.set(HotTubConfig.DIR.name(), "/run/pool");
    assertEquals(Optional.of(0), HotTubConfig.MAX_JVMS.read(conf));
    assertEquals(Optional.of(Path.of("/opt/hottub")), HotTubConfig.HOME.read(conf));
    assertEquals(Path.of("/run/pool"), HotTubConfig.pool(conf).root());
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "1025", "many", "1e3", ""})
  void numbersThatAreNotAllowedBecomeTheDefault(String text) {
    conf.set(HotTubConfig.MAX_JVMS.name(), text);
    conf.set(HotTubConfig.MIN_IDLE.name(), text);
    assertEquals(Optional.empty(), HotTubConfig.MAX_JVMS.read(conf));
    assertEquals(0, HotTubConfig.MIN_IDLE.read(conf));
  }

  @ParameterizedTest
  @ValueSource(strings = {"relative/home", "\0", ""})
  void pathsThatAreNotAllowedAreIgnored(String text) {
    conf.set(HotTubConfig.HOME.name(), text);
    assertEquals(Optional.empty(), HotTubConfig.HOME.read(conf));
  }

  @ParameterizedTest
  @ValueSource(strings = {"zk1", "zk1:2181,10.0.0.2:65535", "[::1]:2181,[fe80::1]"})
  void serversOfZooKeeper(String text) {
    conf.set(HotTubConfig.CLUSTER_CONNECT.name(), text);
    assertEquals(text, HotTubConfig.CLUSTER_CONNECT.read(conf));
  }

  @ParameterizedTest
  @ValueSource(strings = {"zk1:99999", "zk1:0", "[::1", "::1]:80", ":80", "zk1:2181,", "a:b:1"})
  void whatIsNoServerOfZooKeeperIsIgnored(String text) {
    conf.set(HotTubConfig.CLUSTER_CONNECT.name(), text);
    assertEquals("", HotTubConfig.CLUSTER_CONNECT.read(conf));
  }

  @Test
  void aLineBreakInAValueDoesNotBreakTheLog() {
    conf.set(HotTubConfig.CLUSTER_CONNECT.name(), "a\nERROR b");
    String problem = HotTubConfig.CLUSTER_CONNECT.problem(conf).orElseThrow();
    assertEquals(1, problem.lines().count(), problem);
    assertTrue(problem.contains(" is \"a\\u000aERROR b\", not host:port"), problem);
  }

  @Test
  void isolationIsCloneUnlessItIsReuse() throws Exception {
    assertEquals(Isolation.CLONE, HotTubConfig.ISOLATION.read(conf));
    conf.set(HotTubConfig.ISOLATION.name(), " reuse ");
    assertEquals(Isolation.REUSE, HotTubConfig.ISOLATION.read(conf));
    conf.set(HotTubConfig.ISOLATION.name(), "Reuse");
    try (LogLines lines = new LogLines(ConfigKey.class)) {
      assertEquals(Isolation.CLONE, HotTubConfig.ISOLATION.read(conf));
      assertEquals(
          List.of(
              "WARN yarn.nodemanager.aux-services.hottub.isolation is \"Reuse\", not reuse or clone or strict;"
                  + " the default is used: clone"),
          lines.get());
    }
  }

  @Test
  void isolationOfUsers() {
    conf.set(HotTubConfig.ISOLATION.name(), "reuse");
    assertEquals(new IsolationPolicy(Isolation.REUSE, Map.of()), IsolationPolicy.read(conf));
    conf.set(HotTubConfig.ISOLATION_OF_USERS.name(), " alice=clone ,\n bank=strict ");
    IsolationPolicy policy = IsolationPolicy.read(conf);
    assertEquals(Isolation.CLONE, policy.of("alice"));
    assertEquals(Isolation.STRICT, policy.of("bank"));
    assertEquals(Isolation.REUSE, policy.of("bob"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"alice", "=clone", "alice=Clone", "alice=", "a b=clone", "bank=reuse", ""})
  void anEntryThatIsWrongIsSaidAndTheOthersHold(String entry) throws Exception {
    conf.set(HotTubConfig.ISOLATION_OF_USERS.name(), "bank=strict," + entry + ",bob=reuse");
    try (LogLines lines = new LogLines(IsolationPolicy.class)) {
      assertEquals(
          new IsolationPolicy(
              Isolation.CLONE, Map.of("bank", Isolation.STRICT, "bob", Isolation.REUSE)),
          IsolationPolicy.read(conf));
      assertEquals(
          List.of(
              "WARN yarn.nodemanager.aux-services.hottub.isolation-of-users has the entry \""
                  + entry
                  + "\", not USER=reuse or USER=clone or USER=strict, each user once; it is"
                  + " ignored"),
          lines.get());
    }
  }

  @Test
  void aRootThatIsTooLongIsAnError() {
    conf.set(HotTubConfig.DIR.name(), "/" + "x".repeat(80));
    assertThrows(IOException.class, () -> HotTubConfig.pool(conf));
  }
}
