// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hottub.protocol.PoolMarks;
import io.hottub.protocol.TempPool;
import io.hottub.protocol.doctor.Finding.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RootCheckTest {
  private static Finding look(Path root) throws Exception {
    return new RootCheck(Map.of("HOTTUB_DIR", root.toString())).look();
  }

  @Test
  void aPoolThatIsOpen() throws Exception {
    try (TempPool temp = new TempPool()) {
      assertEquals(
          Finding.ok("the pool of this user is in " + temp.pool().userFolder() + ", JVMs: 0"),
          look(temp.pool().root()));
    }
  }

  @Test
  void aPoolThatIsDrained() throws Exception {
    try (TempPool temp = new TempPool()) {
      new PoolMarks(temp.pool()).drain();
      assertEquals(Result.WARNING, look(temp.pool().root()).result());
    }
  }

  @Test
  void aRootThatIsNotSafe() throws Exception {
    try (TempPool temp = new TempPool()) {
      Path root = temp.pool().root();
      Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxrwxrwx"));
      Finding finding = look(root);
      assertEquals(Result.FAILED, finding.result());
      assertTrue(finding.text().contains("(pool-directory-unsafe): the pool's root"), "" + finding);
    }
  }

  @Test
  void noRoot() throws Exception {
    Finding finding = look(Path.of("/proc/nothing/here"));
    assertEquals(Result.FAILED, finding.result());
    assertTrue(finding.text().contains("(no-pool-directory): HOTTUB_DIR is"), finding.text());
    assertTrue(finding.todo().contains("mode 1777"), finding.todo());
  }

  @Test
  void theRootOfAllIsMissing() throws Exception {
    Path root = Path.of("/run/hottub");
    boolean isRoot =
        Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    assumeTrue(isRoot && !Files.exists(root));
    assertTrue(look(root).text().startsWith("/run/hottub is not there, and a run of this user"));
    Finding smoke = new SmokeCheck(Path.of("/none"), Map.of("HOTTUB_DIR", root.toString())).look();
    assertEquals(Result.NOT_APPLICABLE, smoke.result(), smoke.text());
  }
}
