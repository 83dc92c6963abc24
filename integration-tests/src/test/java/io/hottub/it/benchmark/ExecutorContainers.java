// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The processor time of all containers of a node but application masters, ended ones too. */
final class ExecutorContainers {
  /** The first container of an application is its master. */
  private static final Pattern EXECUTOR = Pattern.compile("container_[0-9_]+_(?!000001/)\\d{6}");

  private final long nodeManager;
  private final Map<String, Long> ms = new HashMap<>();

  ExecutorContainers(long nodeManager) {
    this.nodeManager = nodeManager;
  }

  /**
   * Looks at those that run, and returns whether there are any. What one uses between the last look
   * and its end is not seen.
   */
  boolean look() throws IOException {
    ProcessTable table = ProcessTable.read();
    boolean any = false;
    for (long child : table.children(nodeManager)) {
      Matcher container = EXECUTOR.matcher(commandLine(child));
      if (container.find()) {
        ms.merge(container.group(), table.treeMs(child), Math::max);
        any = true;
      }
    }
    return any;
  }

  private static String commandLine(long process) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(process), "cmdline"));
    } catch (IOException e) {
      return ""; // It has ended.
    }
  }

  long ms() {
    return ms.values().stream().mapToLong(Long::longValue).sum();
  }

  int count() {
    return ms.size();
  }
}
