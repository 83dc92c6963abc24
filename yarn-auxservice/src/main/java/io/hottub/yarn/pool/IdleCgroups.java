// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.pool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * The control groups beside those of the containers in which JVMs are while they serve none. They
 * have no limits; who has the NodeManager's uid, its pooled JVMs included, may join them.
 */
public final class IdleCgroups {
  /** The name that keepers know ({@code hottub-jvm/native/common/cgroup.h}). */
  private static final String NAME = "hottub";

  /** As {@code CGroupsHandlerImpl} of Hadoop reads it. */
  private static final String HIERARCHY =
      "yarn.nodemanager.linux-container-executor.cgroups.hierarchy";

  private static final String DEFAULT_HIERARCHY = "/hadoop-yarn";

  private IdleCgroups() {}

  /**
   * Makes them where YARN has made the group of its containers.
   *
   * @param mounts as {@code /proc/mounts} (fstab(5))
   * @return those that exist now
   */
  public static List<Path> create(Path mounts, Configuration conf) throws IOException {
    List<Path> idle = new ArrayList<>();
    for (Path group : places(mounts, conf)) {
      if (Files.isWritable(group.getParent())) {
        if (!Files.isDirectory(group)) {
          Files.createDirectory(group);
        }
        idle.add(group);
      }
    }
    return idle;
  }

  /**
   * Where they belong: beside those of the containers, where there are such.
   *
   * @param mounts as {@code /proc/mounts} (fstab(5))
   */
  public static List<Path> places(Path mounts, Configuration conf) throws IOException {
    String hierarchy = conf.getTrimmed(HIERARCHY, DEFAULT_HIERARCHY).replaceAll("^/+", "");
    List<Path> places = new ArrayList<>();
    for (String line : Files.readAllLines(mounts)) {
      String[] words = line.split(" ", -1);
      boolean isCgroup =
          words.length > 2 && (words[2].equals("cgroup") || words[2].equals("cgroup2"));
      if (!isCgroup || hierarchy.isEmpty()) {
        continue;
      }
      Path containers = Path.of(words[1], hierarchy);
      if (Files.isDirectory(containers)) {
        places.add(containers.resolve(NAME));
      }
    }
    return places;
  }
}
