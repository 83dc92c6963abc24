// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.doctor;

import io.hottub.protocol.ClientVariables;
import io.hottub.protocol.PoolLimits;
import io.hottub.protocol.doctor.Check;
import io.hottub.protocol.doctor.DoctorCommand;
import io.hottub.protocol.doctor.Finding;
import io.hottub.protocol.doctor.Machine;
import io.hottub.protocol.doctor.NodeCheck;
import io.hottub.yarn.config.HotTubConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Entry point of {@code hottub doctor} where there is {@code yarn}, on whose class path it runs.
 */
public final class DoctorMain {
  private DoctorMain() {}

  /**
   * Makes all checks and ends the program with their status.
   *
   * @param args the folder where HotTub is installed, then the options
   */
  public static void main(String[] args) {
    List<String> words = List.of(args);
    Path install = Path.of(words.get(0));
    System.exit(
        DoctorCommand.run(
            words.subList(1, words.size()),
            forced ->
                checks(
                    new YarnConfiguration(),
                    install,
                    System.getenv(),
                    new NodeCheck(Path.of("/proc"), forced, true)),
            System.out,
            System.err));
  }

  /** All of them, in the order in which they are told. */
  static List<Check> checks(
      Configuration conf, Path install, Map<String, String> environment, NodeCheck node) {
    boolean isNode = isNode(node);
    Map<String, String> ofRuns = new HashMap<>(environment);
    Path home = install.resolve("home");
    if (isNode) {
      HotTubConfig.DIR
          .read(conf)
          .ifPresent(dir -> ofRuns.put(ClientVariables.POOL_ROOT, dir.toString()));
      home = HotTubConfig.HOME.read(conf).orElse(home);
    }
    List<Check> ofNodes =
        ofNodes(conf, ofRuns).stream()
            .map(check -> isNode ? check : new OnNodesOnly(check))
            .toList();
    return new Machine(install, home, ofRuns).checks(node, ofNodes);
  }

  private static boolean isNode(NodeCheck node) {
    try {
      return node.isNode();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Check> ofNodes(Configuration conf, Map<String, String> environment) {
    return List.of(
        new HadoopCheck(VersionInfo.getVersion()),
        new SettingsCheck(conf),
        new ServiceCheck(conf, environment),
        new ExecutorCheck(conf),
        new TenantCheck(conf, environment),
        new ProcessTreeCheck(conf),
        new MemoryCheck(conf),
        new LimitsCheck(conf, PoolLimits.memoryOfThisMachineMb()),
        new PressureCheck(conf),
        new CgroupsCheck(Path.of("/proc/mounts"), conf));
  }

  /** A check of nodes on another machine. */
  private record OnNodesOnly(Check check) implements Check {
    @Override
    public String name() {
      return check.name();
    }

    @Override
    public String right() {
      return check.right();
    }

    @Override
    public Finding look() {
      return Finding.notApplicable("this machine is no node");
    }
  }
}
