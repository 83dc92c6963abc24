// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.doctor;

import io.hottub.protocol.jdk.NodeManagers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Whether this machine is a node, and looked at as the NodeManager's user. */
public final class NodeCheck implements Check {
  private final Path proc;
  private final boolean forced;
  private final boolean settingsKnown;

  /**
   * @param proc as {@code /proc} (proc(5))
   * @param forced whether the machine is a node also where no NodeManager runs
   * @param settingsKnown whether the NodeManager's settings can be looked at
   */
  public NodeCheck(Path proc, boolean forced, boolean settingsKnown) {
    this.proc = proc;
    this.forced = forced;
    this.settingsKnown = settingsKnown;
  }

  @Override
  public String name() {
    return "node";
  }

  @Override
  public String right() {
    return "On a node: the NodeManager runs, the checks are made as its user, and yarn is on the PATH"
        + " or in HADOOP_HOME, so that its settings can be read";
  }

  /**
   * Whether the checks of nodes are to be made: to anybody but the NodeManager's user, who has
   * another pool, the machine is a client.
   *
   * @throws IOException if processes cannot be looked at
   */
  public boolean isNode() throws IOException {
    return forced || own(NodeManagers.find(proc), self()).isPresent();
  }

  private static String self() throws IOException {
    return Files.getOwner(Path.of("/proc/self")).getName();
  }

  private static Optional<NodeManagers.Running> own(
      List<NodeManagers.Running> running, String self) {
    return running.stream().filter(one -> one.user().equals(self)).findFirst();
  }

  @Override
  public Finding look() throws IOException {
    List<NodeManagers.Running> running = NodeManagers.find(proc);
    if (running.isEmpty() && !forced) {
      return Finding.notApplicable(
          "no NodeManager runs here: only what a client needs is looked at (--node looks at all)");
    }
    String self = self();
    Optional<NodeManagers.Running> own = own(running, self);
    if ((forced || own.isPresent()) && !settingsKnown) {
      return Finding.failed(
          "the settings of the NodeManager cannot be read: no yarn on the PATH or in HADOOP_HOME",
          "call hottub with HADOOP_HOME or PATH as the NodeManager has it");
    }
    if (running.isEmpty()) {
      return Finding.warning("no NodeManager runs here", "start it, then ask again");
    }
    if (own.isPresent()) {
      return Finding.ok("the NodeManager has the pid " + own.get().pid() + ", user " + self);
    }
    NodeManagers.Running other = running.get(0);
    return Finding.warning(
        "the NodeManager, pid %s, is of the user %s, and %s has another pool"
            .formatted(other.pid(), other.user(), self),
        "call hottub as " + other.user());
  }
}
