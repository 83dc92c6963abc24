// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.packages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Run;
import io.hottub.it.harness.Tarball;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scripts of the management pack for Ambari, with the tarball of the build. */
@NeedsHome
class MpackIT {
  private static final Path AGENT = Tarball.DEPLOY.resolve("src/test/python/ambari_agent.py");

  @TempDir Path folder;

  @AfterEach
  void endPool() throws Exception {
    processes().forEach(ProcessHandle::destroyForcibly);
    Run.await("the pool has ended", () -> processes().isEmpty());
  }

  /** Those that work below the folder: keepers, and JVMs between runs. */
  private List<ProcessHandle> processes() {
    return ProcessHandle.allProcesses().filter(this::isBelow).toList();
  }

  private boolean isBelow(ProcessHandle process) {
    try {
      Path cwd = Path.of("/proc", Long.toString(process.pid()), "cwd");
      return Files.readSymbolicLink(cwd).startsWith(folder.toRealPath());
    } catch (IOException e) {
      return false; // It has ended, or is another user's.
    }
  }

  private String run(String... commands) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            "python3", "-B", AGENT.toString(), folder.toString(), Tarball.path().toString());
    builder.command().addAll(List.of(commands));
    builder.environment().keySet().removeIf(name -> name.startsWith("HOTTUB"));
    Process agent = builder.redirectErrorStream(true).start();
    String out = new String(agent.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, agent.waitFor(), out);
    return out;
  }

  @Test
  void theServiceCheckFindsAWarmJvm() throws Exception {
    String out = run("INSTALL", "SERVICE_CHECK");
    assertTrue(out.contains("a warm JVM has served a run"), out);
    assertFalse(processes().isEmpty(), "the pool goes on");
  }

  @Test
  void uninstallEndsThePoolAndLeavesNothing() throws Exception {
    run("INSTALL", "SERVICE_CHECK", "UNINSTALL");
    Run.await("the pool has ended", () -> processes().isEmpty());
    for (String left : List.of("run/hottub", "usr/lib/hottub", "usr/bin/hottub", "etc/hottub")) {
      assertFalse(Files.exists(folder.resolve("host").resolve(left)), left);
    }
  }
}
