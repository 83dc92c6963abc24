// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A run sees the processors and the memory that the control groups of its container leave it. */
@NeedsHome
@Tag("clones")
class CgroupIT {
  private static final Path ROOT = Path.of("/sys/fs/cgroup");
  private static final List<String> HIERARCHIES = List.of("cpu", "memory");
  private static final Map<String, String> SMALL =
      Map.of("cpu/cpu.cfs_quota_us", "50000", "memory/memory.limit_in_bytes", "1073741824");
  private static final Map<String, String> LARGE = Map.of("cpu/cpu.cfs_quota_us", "200000");

  private final String parent = "hottub-it-" + ProcessHandle.current().pid();
  private final List<Path> made = new ArrayList<>();
  private Pool pool;
  private Path classes;

  @BeforeEach
  void createPool() throws Exception {
    for (String hierarchy : HIERARCHIES) {
      assumeTrue(
          Files.isWritable(ROOT.resolve(hierarchy).resolve("cgroup.procs")),
          "needs control groups of version 1, and the right to make some");
    }
    pool = new Pool();
    classes = Programs.compile(pool.work().resolve("classes"), "Limits");
    make(parent);
    make(parent + "/hottub");
  }

  private void make(String group) throws IOException {
    for (String hierarchy : HIERARCHIES) {
      made.add(0, Files.createDirectory(ROOT.resolve(hierarchy).resolve(group)));
    }
  }

  @AfterEach
  void closePool() throws Exception {
    if (pool != null) {
      pool.close();
    }
    for (Path group : made) {
      Files.deleteIfExists(group);
    }
  }

  private String container(String name, Map<String, String> limits) throws IOException {
    String group = parent + "/container_" + name;
    make(group);
    for (Map.Entry<String, String> limit : limits.entrySet()) {
      Path file = Path.of(limit.getKey());
      Path folder = ROOT.resolve(file.getName(0)).resolve(group);
      Files.writeString(folder.resolve(file.getFileName()), limit.getValue());
    }
    return group;
  }

  /** As YARN does it: what is left in the groups of the container keeps them from going. */
  private void remove(String group) throws IOException {
    for (String hierarchy : HIERARCHIES) {
      Files.delete(ROOT.resolve(hierarchy).resolve(group));
    }
  }

  private Outcome run(Path java, String group) throws Exception {
    StringBuilder join = new StringBuilder();
    for (String hierarchy : HIERARCHIES) {
      join.append("echo $$ > %s/%s/%s/cgroup.procs && ".formatted(ROOT, hierarchy, group));
    }
    String command = join + "exec \"$0\" -cp \"$1\" Limits";
    return pool.start(
            pool.builder(List.of("sh", "-c", command, java.toString(), classes.toString())))
        .await();
  }

  private Outcome inContainer(String name, Map<String, String> limits) throws Exception {
    String group = container(name, limits);
    Outcome cold = run(Home.COLD_JAVA, group);
    Outcome pooled = run(Home.JAVA, group);
    assertEquals(cold, pooled, name);
    remove(group);
    pool.awaitIdle();
    return pooled;
  }

  @Test
  void seesTheLimitsOfItsOwnContainer() throws Exception {
    Outcome small = inContainer("1", SMALL);
    assertEquals(small, inContainer("2", SMALL));
    Outcome large = inContainer("3", LARGE);
    assertNotEquals(small, large);
    assertEquals(small, inContainer("4", SMALL));
    assertEquals(large, inContainer("5", LARGE));
    inContainer("6", Map.of());
    List<Long> served = pool.servedBy();
    assertEquals(6, served.size(), "pooled runs");
    if (!Pool.CLONES) {
      assertEquals(
          List.of(served.get(0), served.get(0), served.get(2), served.get(0), served.get(2)),
          served.subList(0, 5));
    }
  }
}
