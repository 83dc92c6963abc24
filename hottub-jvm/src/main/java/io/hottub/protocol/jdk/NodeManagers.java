// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.jdk;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The NodeManagers that run on a machine. */
public final class NodeManagers {
  private static final String MAIN_CLASS = "org.apache.hadoop.yarn.server.nodemanager.NodeManager";

  private NodeManagers() {}

  /**
   * One of them.
   *
   * @param user name of its Unix user
   */
  public record Running(String pid, String user) {}

  /**
   * Those that run.
   *
   * @param proc as {@code /proc} (proc(5))
   */
  public static List<Running> find(Path proc) throws IOException {
    List<Running> running = new ArrayList<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[1-9]*")) {
      for (Path process : processes) {
        if (isNodeManager(process)) {
          running.add(
              new Running(process.getFileName().toString(), Files.getOwner(process).getName()));
        }
      }
    }
    return running;
  }

  private static boolean isNodeManager(Path process) {
    try {
      String command = Files.readString(process.resolve("cmdline"));
      return Arrays.asList(command.split("\0", -1)).contains(MAIN_CLASS);
    } catch (IOException e) {
      return false; // It has ended, or its command line is no text.
    }
  }
}
