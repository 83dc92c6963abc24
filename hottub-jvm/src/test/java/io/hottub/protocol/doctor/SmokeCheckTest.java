// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.protocol.JvmState;
import io.hottub.protocol.MockKeeper;
import io.hottub.protocol.TempPool;
import io.hottub.protocol.doctor.Finding.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a script in the place of the client. */
class SmokeCheckTest {
  private static final String WARM =
      "{\"served\":\"pool\",\"jvm_pid\":9,\"run\":2,\"warm\":true,\"fingerprint\":\"%s\"}"
          .formatted("a".repeat(32));

  @TempDir Path home;
  private TempPool temp;

  @BeforeEach
  void makePool() throws Exception {
    temp = new TempPool();
  }

  @AfterEach
  void removePool() throws Exception {
    temp.close();
  }

  private Finding look(String... lines) throws Exception {
    Path java = Files.createDirectory(home.resolve("bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
    java.toFile().setExecutable(true);
    return new SmokeCheck(
            home, Map.of("HOTTUB_DIR", temp.pool().root().toString(), "HOTTUB", "off"))
        .look();
  }

  private static String tells(String line) {
    return "echo '" + line + "' >>\"$HOTTUB_TRACE\"";
  }

  @Test
  void theSecondRunIsWarmAndItsJvmIsEnded() throws Exception {
    Path folder = MockKeeper.fingerprintFolder(temp.pool(), "a");
    try (MockKeeper keeper =
        MockKeeper.idle(
            folder,
            1,
            (request, payload) ->
                request.equals("STATUS")
                    ? MockKeeper.state(MockKeeper.stateJson(1, JvmState.IDLE))
                    : MockKeeper.done())) {
      String first = WARM.replace("true", "false");
      Finding finding =
          look(
              "[ -z \"$HOTTUB\" ] && [ $HOTTUB_ISOLATION = reuse ] && echo hello",
              "[ -e \"$HOTTUB_TRACE\" ] && " + tells(WARM) + " || " + tells(first));
      assertEquals(Finding.ok("run 2 was served by the warm JVM 9"), finding);
      assertTrue(keeper.requests().contains("RETIRE"), "" + keeper.requests());
    }
  }

  @Test
  void everyRunStartsAJvm() throws Exception {
    Finding finding = look("echo hello", tells(WARM.replace("true", "false")));
    assertEquals(Result.WARNING, finding.result(), finding.text());
  }

  @Test
  void aColdRunHasItsReason() throws Exception {
    Finding finding = look("echo hello", tells("{\"served\":\"cold\",\"reason\":\"drained\"}"));
    assertEquals(Result.FAILED, finding.result());
    assertTrue(finding.text().startsWith("the run was cold: drained ("), finding.text());
    assertTrue(finding.todo().contains("undrain"), finding.todo());
  }

  @Test
  void anotherJava() throws Exception {
    assertTrue(look("echo hello").text().endsWith("is no client of HotTub"));
  }

  @Test
  void aRunThatFails() throws Exception {
    Finding finding = look("echo no memory", "exit 3");
    assertEquals(Result.FAILED, finding.result());
    assertTrue(finding.text().endsWith("ended with status 3 and wrote: no memory"), "" + finding);
  }
}
