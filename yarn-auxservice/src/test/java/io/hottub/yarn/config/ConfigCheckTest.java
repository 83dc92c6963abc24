// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigCheckTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void allThatIsDocumentedIsKnown() {
    HotTubConfig.keys().stream()
        .filter(key -> key != HotTubConfig.HOME)
        .forEach(key -> conf.set(key.name(), "1"));
    conf.set(HotTubConfig.PREFIX + "class", "io.hottub.yarn.HotTubAuxService");
    conf.set("yarn.nodemanager.aux-services.hottuber.max-jvms", "1");
    assertEquals(List.of(), ConfigCheck.problems(conf));
  }

  @Test
  void anUnknownSettingIsNamedOnce() {
    conf.set(HotTubConfig.PREFIX + "max-jvm", "4");
    List<String> problems = ConfigCheck.problems(conf);
    assertEquals(1, problems.size());
    assertTrue(
        problems.get(0).startsWith("yarn.nodemanager.aux-services.hottub.max-jvm is no setting"));
  }

  @Test
  void aHomeWithoutJavaIsNamed(@TempDir Path home) throws Exception {
    conf.set(HotTubConfig.HOME.name(), home.toString());
    Path lacking = home.resolve("bin/java");
    assertTrue(ConfigCheck.problems(conf).get(0).contains("there is no " + lacking + ", "));
    FakeHome.create(home);
    assertEquals(List.of(), ConfigCheck.problems(conf));
    Path certificates = home.resolve("lib/security/cacerts");
    Files.delete(certificates);
    assertTrue(ConfigCheck.problems(conf).get(0).contains("there is no " + certificates + ", "));
  }
}
