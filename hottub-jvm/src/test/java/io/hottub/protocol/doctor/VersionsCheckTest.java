// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.protocol.doctor.Finding.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VersionsCheckTest {
  @TempDir Path install;
  private Path home;

  @BeforeEach
  void install() throws Exception {
    home = Files.createDirectory(install.resolve("home"));
    Files.writeString(install.resolve("VERSION"), "1.2\n");
  }

  private Finding look(Path used, String release) throws Exception {
    return new VersionsCheck(install, used, Optional.of(release)).look();
  }

  @Test
  void oneInstallation() throws Exception {
    assertEquals(Finding.ok("HotTub 1.2, no HotTub home"), look(home, "1.2"));
  }

  @Test
  void theJarOnTheClassPathIsOfAnotherRelease() throws Exception {
    Finding finding = look(home, "1.1");
    assertEquals(Result.FAILED, finding.result());
    assertEquals("the jar of HotTub is of 1.1, " + install + " of 1.2", finding.text());
  }

  @Test
  void theHomeIsOfAnotherInstallation(@TempDir Path other) throws Exception {
    assertEquals(Result.WARNING, look(other, "1.2").result());
  }
}
