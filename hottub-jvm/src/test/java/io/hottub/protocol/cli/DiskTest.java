// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pool on a file system of its own, which nobody else sees: only root can mount one. */
class DiskTest {
  private static final String NEXT =
      "; what to do: make /run/hottub with mode 1777, as conf/tmpfiles.d/hottub.conf does, or set"
          + " HOTTUB_DIR\n";

  @TempDir Path disk;

  /** What a command that makes the pool says of it. */
  private String drain(String mountOptions) throws Exception {
    assumeTrue(Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid")));
    String script = "mount -t tmpfs -o " + mountOptions + " none \"$0\" && exec \"$@\"";
    ProcessBuilder builder =
        new ProcessBuilder(
            "unshare",
            "--mount",
            "sh",
            "-c",
            script,
            disk.toString(),
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            "io.hottub.protocol.cli.Main",
            "drain");
    builder.environment().put("HOTTUB_DIR", disk.resolve("p").toString());
    Process process = builder.redirectErrorStream(true).start();
    try {
      String said = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertEquals(111, process.waitFor(), said);
      return said;
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aFullOneIsNamed() throws Exception {
    assertEquals(
        "hottub: no pool can be used, runs are cold (no-pool-directory): cannot make "
            + disk
            + "/p: No space left on device"
            + NEXT,
        drain("nr_inodes=1"));
  }

  @Test
  void oneThatCannotBeWrittenIsNamed() throws Exception {
    assertEquals(
        "hottub: no pool can be used, runs are cold (no-pool-directory): HOTTUB_DIR is "
            + disk
            + "/p, and "
            + disk
            + "/p is not there, and the uid 0 may not make it"
            + NEXT,
        drain("ro"));
  }
}
