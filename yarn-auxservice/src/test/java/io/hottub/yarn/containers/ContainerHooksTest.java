// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.protocol.TempPool;
import io.hottub.yarn.config.HotTubConfig;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerHooksTest {
  @TempDir java.nio.file.Path folder;

  /** As in the POSIX locale those that are not ASCII. */
  @Test
  void aFileWithANameThatIsNoPathDoesNotMatter() throws Exception {
    java.nio.file.Path settings = Files.createDirectory(folder.resolve("conf"));
    Files.writeString(settings.resolve("__spark_conf__.properties"), "spark.hottub.enabled=true");
    Configuration conf = new Configuration(false);
    conf.set(HotTubConfig.HOME.name(), System.getProperty("java.home"));
    try (TempPool temp = new TempPool()) {
      conf.set(HotTubConfig.DIR.name(), temp.pool().root().toString());
      ContainerHooks hooks = new ContainerHooks();
      hooks.activate(conf);
      Map<Path, List<String>> resources =
          Map.of(
              new Path(settings.toUri()), List.of("__spark_conf__"),
              new Path("/local/\0.csv"), List.of("data.csv"));
      Map<String, String> routed = hooks.route(Map.of(), resources, "alice");
      assertEquals("alice", routed.get("HOTTUB_TENANT"));
      assertEquals(System.getProperty("java.home"), routed.get("JAVA_HOME"));
    }
  }
}
