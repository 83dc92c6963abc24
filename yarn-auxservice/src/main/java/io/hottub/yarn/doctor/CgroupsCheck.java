// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.doctor;

import io.hottub.protocol.doctor.Check;
import io.hottub.protocol.doctor.Finding;
import io.hottub.yarn.pool.IdleCgroups;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** Whether JVMs can be in the control groups of the containers that they work for. */
final class CgroupsCheck implements Check {
  private final Path mounts;
  private final Configuration conf;
  private final NodeSettings settings;

  /**
   * @param mounts as {@code /proc/mounts} (fstab(5))
   */
  CgroupsCheck(Path mounts, Configuration conf) {
    this.mounts = mounts;
    this.conf = conf;
    this.settings = new NodeSettings(conf);
  }

  @Override
  public String name() {
    return "cgroups";
  }

  @Override
  public String right() {
    return "Where containers are in control groups: there is a group hottub beside theirs that the"
        + " NodeManager's user may write, and containers with limits are not of other Unix users";
  }

  @Override
  public Finding look() throws IOException {
    if (!settings.hasCgroups()) {
      return Finding.notApplicable("containers are in no control groups of their own");
    }
    boolean limited = settings.hasMemoryLimits() || settings.hasProcessorLimits();
    if (limited && settings.hasUsersOfTheirOwn()) {
      return Finding.warning(
          "containers have limits of memory or processor time and Unix users of their own: their"
              + " keepers may not move JVMs, runs are cold (cgroup-limits)",
          "let the NodeManager keep the limit of memory, and give processors by shares");
    }
    List<Path> places = IdleCgroups.places(mounts, conf);
    if (places.isEmpty()) {
      return Finding.warning(
          "YARN has made no control groups of containers yet", "start the NodeManager");
    }
    for (Path place : places) {
      if (!Files.isWritable(place)) {
        return Finding.warning(
            "this user may not write in the control group %s, or there is none: idle JVMs stay in those of containers"
                .formatted(place),
            "let the NodeManager's user write in %s, and restart it".formatted(place.getParent()));
      }
    }
    return Finding.ok("JVMs that serve no container are in " + places);
  }
}
