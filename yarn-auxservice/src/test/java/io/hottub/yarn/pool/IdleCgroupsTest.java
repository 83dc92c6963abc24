// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdleCgroupsTest {
  @TempDir private Path root;

  private Path mounts(String... types) throws Exception {
    StringBuilder lines = new StringBuilder("proc /proc proc rw 0 0\n");
    for (String type : types) {
      Path mount = Files.createDirectory(root.resolve(type));
      lines.append("x %s %s rw 0 0\n".formatted(mount, type.replaceAll("-.*", "")));
    }
    return Files.writeString(root.resolve("mounts"), lines);
  }

  @Test
  void areBesideTheContainersInEveryHierarchyThatHasThem() throws Exception {
    Path mounts = mounts("cgroup-cpu", "cgroup-memory", "cgroup2", "tmpfs");
    Files.createDirectory(root.resolve("cgroup-cpu/hadoop-yarn"));
    Files.createDirectory(root.resolve("cgroup2/hadoop-yarn"));
    Files.createDirectory(root.resolve("tmpfs/hadoop-yarn"));
    List<Path> expected =
        List.of(
            root.resolve("cgroup-cpu/hadoop-yarn/hottub"),
            root.resolve("cgroup2/hadoop-yarn/hottub"));
    for (int start = 0; start < 2; start++) {
      assertEquals(expected, IdleCgroups.create(mounts, new Configuration(false)));
      for (Path group : expected) {
        assertTrue(Files.isDirectory(group));
      }
    }
  }

  @Test
  void followTheNameThatYarnUses() throws Exception {
    Path mounts = mounts("cgroup-cpu");
    Files.createDirectories(root.resolve("cgroup-cpu/a/b"));
    Configuration conf = new Configuration(false);
    conf.set("yarn.nodemanager.linux-container-executor.cgroups.hierarchy", "/a/b");
    assertEquals(List.of(root.resolve("cgroup-cpu/a/b/hottub")), IdleCgroups.create(mounts, conf));
  }
}
