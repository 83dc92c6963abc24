// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Control groups of a test (cgroups(7)), below one of its own, of the version that the machine has:
 * 1, with a hierarchy for each controller, or 2, with one for all. Where a machine has both, the
 * controllers are in version 1.
 */
public final class ControlGroups {
  private static final Path ROOT = Path.of("/sys/fs/cgroup");

  /** What a group may be limited in. */
  public enum Limit {
    /** Microseconds of processor time in 100 ms. */
    PROCESSORS("cpu", "cpu.cfs_quota_us", "cpu.max"),
    /** Bytes. */
    MEMORY("memory", "memory.limit_in_bytes", "memory.max"),
    /** Processes and threads. */
    PROCESSES("pids", "pids.max", "pids.max");

    private final String controller;
    private final String file;
    private final String file2;

    Limit(String controller, String file, String file2) {
      this.controller = controller;
      this.file = file;
      this.file2 = file2;
    }
  }

  private final List<Limit> limits;
  private final boolean isVersion1;
  private final String parent = "hottub-it-" + ProcessHandle.current().pid();
  private final List<Path> made = new ArrayList<>();

  private ControlGroups(List<Limit> limits) throws IOException {
    this.limits = limits;
    isVersion1 = limits.stream().allMatch(ControlGroups::hasVersion1);
    for (Path folder : folders(parent)) {
      create(folder);
    }
    if (!isVersion1) {
      for (Limit limit : limits) {
        Files.writeString(folder(limit, parent).resolve("cgroup.subtree_control"), enable(limit));
      }
    }
  }

  /** Skips the test where there are none that limit this, or no right to make some. */
  public static ControlGroups limiting(Limit... limits) throws IOException {
    List<Limit> all = List.of(limits);
    assumeTrue(
        all.stream().allMatch(ControlGroups::hasVersion1) || hasVersion2(all),
        "needs control groups that limit " + all + ", and the right to make some");
    return new ControlGroups(all);
  }

  /** Likewise, for what only version 1 can do. */
  public static ControlGroups ofVersion1(Limit limit) throws IOException {
    assumeTrue(hasVersion1(limit), "needs control groups of version 1 that limit " + limit);
    return limiting(limit);
  }

  private static boolean hasVersion1(Limit limit) {
    return Files.isWritable(ROOT.resolve(limit.controller).resolve("cgroup.procs"));
  }

  private static boolean hasVersion2(List<Limit> limits) throws IOException {
    Path control = ROOT.resolve("cgroup.subtree_control");
    if (!Files.isWritable(control)) {
      return false;
    }
    List<String> controllers = List.of(Files.readString(control).strip().split(" "));
    return limits.stream().allMatch(limit -> controllers.contains(limit.controller));
  }

  private static String enable(Limit limit) {
    return "+" + limit.controller;
  }

  /** Makes a group of this name below that of the test. */
  public String make(String name) throws IOException {
    String group = parent + "/" + name;
    for (Path folder : folders(group)) {
      create(folder);
    }
    return group;
  }

  private void create(Path folder) throws IOException {
    made.add(0, Files.createDirectory(folder));
  }

  /** The folders of a group, one for each hierarchy. */
  private List<Path> folders(String group) {
    return limits.stream().map(limit -> folder(limit, group)).distinct().toList();
  }

  private Path folder(Limit limit, String group) {
    return (isVersion1 ? ROOT.resolve(limit.controller) : ROOT).resolve(group);
  }

  public void limit(String group, Limit limit, long value) throws IOException {
    boolean withPeriod = limit == Limit.PROCESSORS && !isVersion1;
    set(group, limit, value + (withPeriod ? " 100000" : ""));
  }

  public void unlimit(String group, Limit limit) throws IOException {
    set(group, limit, limit == Limit.PROCESSES || !isVersion1 ? "max" : "-1");
  }

  private void set(String group, Limit limit, String value) throws IOException {
    set(group, limit, isVersion1 ? limit.file : limit.file2, value);
  }

  /** Writes into a file of this controller. */
  public void set(String group, Limit limit, String file, String value) throws IOException {
    Files.writeString(folder(limit, group).resolve(file), value);
  }

  /** How many processes and threads are in it. */
  public long processes(String group) throws IOException {
    Path file = folder(Limit.PROCESSES, group).resolve("pids.current");
    return Long.parseLong(Files.readString(file).strip());
  }

  /** Puts a process into the group. */
  public void join(String group, long pid) throws IOException {
    for (Path folder : folders(group)) {
      Files.writeString(folder.resolve("cgroup.procs"), Long.toString(pid));
    }
  }

  /** What a shell is told to get into the group. */
  public String joining(String group) {
    StringBuilder commands = new StringBuilder();
    for (Path folder : folders(group)) {
      commands.append("echo $$ > %s/cgroup.procs && ".formatted(folder));
    }
    return commands.toString();
  }

  /** As YARN does it: what is left in the group of a container keeps it from going. */
  public void remove(String group) throws IOException {
    for (Path folder : folders(group)) {
      Files.delete(folder);
    }
  }

  /** Once what is in them has ended. */
  public void removeAll() throws Exception {
    for (Path folder : made) {
      Path processes = folder.resolve("cgroup.procs");
      if (Files.exists(folder)) {
        Run.await(folder + " is empty", () -> Files.readString(processes).isEmpty());
        Files.delete(folder);
      }
    }
  }
}
