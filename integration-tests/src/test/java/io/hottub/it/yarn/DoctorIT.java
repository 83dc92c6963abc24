// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Run;
import io.hottub.it.harness.YarnNode;
import io.hottub.protocol.Json;
import io.hottub.protocol.PoolMarks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code hottub doctor} on a node with a real home, as it should be and broken. */
@NeedsHome
class DoctorIT {
  private static final Path INSTALL = Home.path().getParent();

  private Pool pool;
  private YarnNode node;

  @BeforeEach
  void makeNode() throws Exception {
    pool = new Pool();
    node = new YarnNode(pool.root(), Home.path());
  }

  @AfterEach
  void stopAll() throws Exception {
    node.close();
    pool.close();
  }

  private static Map<String, String> results(String written) throws Exception {
    String json = written.lines().filter(line -> line.startsWith("{\"version\"")).findFirst().get();
    Map<String, String> results = new TreeMap<>();
    for (Object check : (List<?>) Json.parseObject(json).get("checks")) {
      Map<?, ?> members = (Map<?, ?>) check;
      results.put((String) members.get("name"), (String) members.get("result"));
    }
    return results;
  }

  private static boolean isOk(String check, String text, String written) {
    return Pattern.compile("(?m)^ok +" + check + " .*" + text).matcher(written).find();
  }

  @Test
  void aNodeAsItShouldBe() throws Exception {
    node.set("yarn.nodemanager.pmem-check-enabled", "true");
    node.set("yarn.nodemanager.resource.memory.enforced", "false");
    node.set(
        "yarn.nodemanager.container-monitor.process-tree.class",
        "io.hottub.yarn.HotTubProcessTree");
    node.startResourceManager();
    node.startNodeManager();
    String written = node.doctor(0, INSTALL);
    for (String check :
        List.of("home", "root", "node", "service", "executor", "process-tree", "memory-check")) {
      assertTrue(isOk(check, "", written), written);
    }
    assertTrue(isOk("smoke-run", "served by the warm JVM", written), written);
    Run.await("its own JVM has ended", () -> pool.states().isEmpty());
    assertFalse(results(node.doctor(0, INSTALL, "--json")).containsValue("failed"));
  }

  @Test
  void aNodeWithMuchThatIsBroken() throws Exception {
    Path home = pool.work().resolve("home");
    Process copy = new ProcessBuilder("cp", "-a", Home.path().toString(), home.toString()).start();
    assertEquals(0, copy.waitFor());
    Path keeper = home.resolve("lib/hottub/keeper");
    Files.delete(keeper);
    Files.writeString(keeper, "#!/bin/false\n");
    node.set("yarn.nodemanager.aux-services.hottub.home", home.toString());
    node.set("yarn.nodemanager.aux-services.hottub.max-jvms", "many");
    node.set("yarn.nodemanager.aux-services.hottub.idle-memory-mb", "16777216");
    node.set("yarn.nodemanager.aux-services.hottub.pressure-file", "/proc/no-pressure-here");
    node.set(
        "yarn.nodemanager.container-executor.class",
        "org.apache.hadoop.yarn.server.nodemanager.DefaultContainerExecutor");
    new PoolMarks(pool.directory()).drain();
    Map<String, String> results = results(node.doctor(111, INSTALL, "--node", "--json"));
    for (String check :
        List.of("home", "settings", "service", "executor", "process-tree", "smoke-run")) {
      assertEquals("failed", results.get(check), check + " of " + results);
    }
    for (String check : List.of("root", "memory-check", "tenant", "limits", "pressure")) {
      assertEquals("warning", results.get(check), check + " of " + results);
    }
  }
}
