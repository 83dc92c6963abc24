// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.protocol.JvmState;
import io.hottub.protocol.MockKeeper;
import io.hottub.protocol.TempPool;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MainTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private TempPool temp;
  private MockKeeper idle;
  private MockKeeper leased;

  @BeforeEach
  void startKeepers() throws IOException {
    temp = new TempPool();
    Path folder = MockKeeper.fingerprintFolder(temp.pool(), "a");
    idle = keeper(folder, 101, JvmState.IDLE, "jvm_pid", 102, "rss_kb", 2048, "started_ms", 5);
    leased =
        keeper(
            folder,
            201,
            JvmState.LEASED,
            "jvm_pid",
            202,
            "run",
            3,
            "main_class",
            "a\u001bMain",
            "started_ms",
            4,
            "since_ms",
            System.currentTimeMillis() - 600_000);
  }

  @AfterEach
  void endKeepers() throws IOException {
    idle.close();
    leased.close();
    temp.close();
  }

  private static MockKeeper keeper(Path folder, long pid, JvmState state, Object... members)
      throws IOException {
    String json = MockKeeper.stateJson(pid, state, members).replace("\u001b", "\\u001b");
    return MockKeeper.idle(
        folder,
        pid,
        (request, payload) ->
            request.equals("STATUS") || request.equals("AUDIT")
                ? MockKeeper.state(json)
                : MockKeeper.done());
  }

  private int run(String... args) {
    return Main.run(
        List.of(args),
        Map.of("HOTTUB_DIR", temp.pool().root().toString()),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void psShowsOneLineForEachJvm() {
    assertEquals(0, run("ps"));
    List<String> lines = out().lines().toList();
    assertEquals(3, lines.size());
    assertTrue(
        lines.get(1).matches("202 +201 +LEASED +60[0-9][.][0-9]s +3 .*a[?]Main"), lines.get(1));
    assertTrue(lines.get(2).matches("102 +101 +IDLE +- +- +2M .*"), lines.get(2));
  }

  @Test
  void statsAreJson() {
    assertEquals(0, run("stats", "--json"));
    assertTrue(out().startsWith("{\"version\":1,\"by_state\":{\"STARTING\":0,\"IDLE\":1,"), out());
    assertTrue(out().contains("\"rss_kb\":2048,"), out());
  }

  @Test
  void pidsOfJvmAndKeeperBothWork() {
    assertEquals(0, run("revoke", "202"));
    assertEquals(List.of("STATUS", "REVOKE"), leased.requests());
    assertEquals(0, run("retire", "101"));
    assertEquals("RETIRE", idle.requests().get(idle.requests().size() - 1));
    assertEquals(0, run("audit", "102"));
    assertTrue(out().contains("\"keeper_pid\":101"), out());
  }

  @Test
  void retireAll() {
    assertEquals(0, run("retire", "--all"));
    assertEquals(List.of("RETIRE"), idle.requests());
    assertEquals(List.of("RETIRE"), leased.requests());
  }

  @Test
  void whatFailsIsNamed() {
    assertEquals(111, run("retire", "999"));
    assertTrue(err.toString(StandardCharsets.UTF_8).contains("has the pid 999"));
  }

  @Test
  void wrongUsage() {
    assertEquals(100, run());
    assertEquals(100, run("retire"));
    assertEquals(100, run("ps", "-x"));
    assertEquals(100, run("boil"));
    assertEquals(0, run("help"));
  }
}
