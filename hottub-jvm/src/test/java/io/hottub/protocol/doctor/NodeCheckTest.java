// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hottub.protocol.doctor.Finding.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeCheckTest {
  @TempDir Path proc;

  private Path process(String pid, String... command) throws Exception {
    Path process = Files.createDirectory(proc.resolve(pid));
    Files.writeString(process.resolve("cmdline"), String.join("\0", command) + "\0");
    return process;
  }

  private Path nodeManager() throws Exception {
    process("7", "grep", "NodeManager");
    return process("8", "java", "org.apache.hadoop.yarn.server.nodemanager.NodeManager");
  }

  private NodeCheck check(boolean forced, boolean settingsKnown) {
    return new NodeCheck(proc, forced, settingsKnown);
  }

  @Test
  void aNode() throws Exception {
    nodeManager();
    assertTrue(check(false, true).isNode());
    Finding finding = check(false, true).look();
    assertEquals(Result.OK, finding.result());
    assertTrue(finding.text().startsWith("the NodeManager has the pid 8, user "), finding.text());
  }

  @Test
  void aClient() throws Exception {
    process("7", "grep", "NodeManager");
    assertFalse(check(false, true).isNode());
    assertEquals(Result.NOT_APPLICABLE, check(false, false).look().result());
  }

  @Test
  void aNodeWhoseNodeManagerIsDown() throws Exception {
    assertTrue(check(true, true).isNode());
    assertEquals(Result.WARNING, check(true, true).look().result());
  }

  @Test
  void aNodeWithoutYarn() throws Exception {
    nodeManager();
    assertEquals(Result.FAILED, check(false, false).look().result());
  }

  @Test
  void theNodeManagerIsAnotherUsers() throws Exception {
    Path process = nodeManager();
    assumeTrue(Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid")));
    Files.setAttribute(process, "unix:uid", 1);
    Finding finding = check(false, true).look();
    assertEquals(Result.WARNING, finding.result());
    assertEquals("call hottub as daemon", finding.todo());
    assertFalse(check(false, true).isNode(), "to others it is a client");
    assertEquals(finding, check(false, false).look(), "they need no yarn");
    assertTrue(check(true, true).isNode());
  }
}
