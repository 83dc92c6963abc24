// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ContainerId;

/** What YARN has started as the JVM of a container. */
public final class ContainerProcess {
  private ContainerProcess() {}

  /** The pid of its program {@code bin/java}: a stock JVM, or the client of a pooled one. */
  public static long of(ContainerId container) {
    List<Long> found =
        ProcessHandle.allProcesses()
            .filter(process -> isJavaOf(process, container))
            // A client may have another beside it, its witness.
            .filter(process -> process.parent().stream().noneMatch(p -> isJavaOf(p, container)))
            .map(ProcessHandle::pid)
            .toList();
    assertEquals(1, found.size(), () -> "processes of " + container + ": " + found);
    return found.get(0);
  }

  private static boolean isJavaOf(ProcessHandle process, ContainerId container) {
    Path folder = Path.of("/proc", Long.toString(process.pid()));
    try {
      return Files.readSymbolicLink(folder.resolve("exe")).endsWith("bin/java")
          && List.of(Files.readString(folder.resolve("environ")).split("\0"))
              .contains("CONTAINER_ID=" + container);
    } catch (IOException e) {
      return false; // It has ended, or is another user's.
    }
  }
}
