// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.protocol.JvmState;
import io.hottub.protocol.MockKeeper;
import io.hottub.protocol.TempPool;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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

  /** The keeper of a clone is a child of that of its template, as this process is of its parent. */
  @Test
  void psTellsWhatIsACloneOfWhat() throws Exception {
    long parent = ProcessHandle.current().parent().orElseThrow().pid();
    long child = ProcessHandle.current().pid();
    Path folder = MockKeeper.fingerprintFolder(temp.pool(), "c");
    try (MockKeeper template =
            keeper(folder, parent, JvmState.TEMPLATE, "jvm_pid", 302, "started_ms", 1);
        MockKeeper clone = keeper(folder, child, JvmState.IDLE, "jvm_pid", 402, "started_ms", 2)) {
      assertEquals(0, run("ps"));
      List<String> lines = out().lines().toList();
      assertTrue(lines.get(0).matches(".* FINGERPRINT +CLONE-OF +CONTAINER +MAIN"), lines.get(0));
      assertTrue(lines.get(1).matches("302 .* TEMPLATE .* - +- +- +-"), lines.get(1));
      assertTrue(lines.get(2).matches("402 .* IDLE .* 302 +- +-"), lines.get(2));
      assertTrue(lines.get(3).matches("202 .* LEASED .* - +- +a[?]Main"), lines.get(3));
      template.kill();
      out.reset();
      assertEquals(0, run("ps"));
      assertFalse(out().contains(" 302 "), "its template is gone");
      assertTrue(clone.requests().size() > 1);
    }
  }

  @Test
  void psSaysWhyNoPoolCanBeUsed() {
    Path nowhere = temp.pool().root().resolve("a/b");
    Map<String, String> environment = Map.of("HOTTUB_DIR", nowhere.toString());
    PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
    assertEquals(111, Main.run(List.of("ps"), environment, stream, stream));
    assertEquals(
        "hottub: no pool can be used, runs are cold (no-pool-directory): HOTTUB_DIR is "
            + nowhere
            + ", and "
            + nowhere
            + " is not there, and nor is the folder above it; what to do: make /run/hottub with mode"
            + " 1777, as conf/tmpfiles.d/hottub.conf does, or set HOTTUB_DIR\n",
        err.toString(StandardCharsets.UTF_8));
  }

  @Test
  void aFolderThatHasNoNameInThisLocale() {
    PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
    assertEquals(111, Main.run(List.of("ps"), Map.of("HOTTUB_DIR", "/\0"), stream, stream));
    String said = err.toString(StandardCharsets.UTF_8);
    assertTrue(said.contains("set LC_ALL to a locale with UTF-8"), said);
    assertEquals(1, said.lines().count(), said);
  }

  @Test
  void aFingerprintIsDrainedBeforeThereIsAPool() {
    Path root = temp.pool().root().resolve("new");
    PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
    Map<String, String> environment = Map.of("HOTTUB_DIR", root.toString());
    String fingerprint = "d".repeat(32);
    assertEquals(
        0,
        Main.run(List.of("drain", fingerprint), environment, stream, stream),
        err.toString(StandardCharsets.UTF_8));
    Path user = root.resolve(temp.pool().userFolder().getFileName());
    assertTrue(Files.exists(user.resolve(fingerprint).resolve("drained")));
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
    assertEquals(0, run("help"));
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void anUnknownSubcommandIsNamedInOneLine() {
    assertEquals(100, run("bo\u001bil"));
    assertEquals("hottub: there is no subcommand bo?il; hottub help lists all\n", err());
  }

  @Test
  void helpAndVersionNeedNoPool() {
    for (String command : List.of("help", "version")) {
      PrintStream to = new PrintStream(out, true, StandardCharsets.UTF_8);
      assertEquals(0, Main.run(List.of(command), Map.of("HOTTUB_DIR", "not/absolute"), to, to));
    }
    assertTrue(out().matches("(?s)usage.*HotTub .*, JDK 17[^ ]*, no HotTub home\n"), out());
  }

  @Test
  void psSaysThatThereIsNoPool() {
    PrintStream to = new PrintStream(out, true, StandardCharsets.UTF_8);
    Path root = temp.pool().root().resolve("x");
    assertEquals(0, Main.run(List.of("ps"), Map.of("HOTTUB_DIR", root.toString()), to, to));
    assertTrue(out().startsWith("There is no pool yet: "), out());
    assertEquals(1, out().lines().count());
  }

  @Test
  void whatIsDrainedIsShownAlsoWithoutAJvm() {
    String other = "c".repeat(32);
    run("drain", other);
    run("drain", "aaa");
    run("drain");
    assertEquals("", out());
    run("ps");
    List<String> lines = out().lines().toList();
    assertEquals(
        List.of("drained: everything", "drained: " + "a".repeat(32), "drained: " + other),
        lines.subList(3, lines.size()));
    out.reset();
    run("undrain");
    assertEquals(2, out().lines().filter(line -> line.startsWith("still drained: ")).count());
    out.reset();
    run("undrain", "aaa", other);
    assertEquals("", out());
  }

  @Test
  void whyTellsTheStoryOfAContainer() throws Exception {
    Files.writeString(
        temp.pool().userFolder().resolve("journal"),
        """
        {"at_ms":1000,"event":"run","client_pid":7,"container_id":"c_1","main_class":"A\\u001b","served":"cold",\
        "reason":"pool-full","jvm_pid":null,"lease_us":null,"fingerprint":"f","run":null}
        {"at_ms":2000,"event":"run","client_pid":8,"container_id":"c_1","main_class":"A","served":"pool",\
        "reason":null,"jvm_pid":9,"lease_us":1500,"fingerprint":"f","run":2}
        {"at_ms":3000,"event":"reset","keeper_pid":10,"container_id":"c_1","run":2,"reset_us":20000,"cpu_us":70000,\
        "revoked_signal":9,"phases":{}}
        not json
        {"at_ms":4000,"event":"crash","keeper_pid":10,"container_id":"c_2","run":3,"reason":"died","signal":11}
        {"at_ms":5000,"event":"retired","keeper_pid":11,"container_id":"c_4","run":1,"reason":"asked"}
        {"at_ms":6000,"event":"retired","keeper_pid":11,"container_id":"c_4","run":1,"reason":"doubt",\
        "doubt":"library libx.so.1 stays loaded"}
        {"at_ms":7000,"event":"retired","keeper_pid":11,"container_id":"c_4","run":1,"reason":"of another version"}
        """);
    assertEquals(0, run("why", "c_1"));
    List<String> lines = out().lines().toList();
    assertEquals(3, lines.size(), out());
    assertTrue(lines.get(0).matches("1970.*A[?], client 7: cold, pool-full [(]max-jvms.*"), out());
    assertTrue(lines.get(1).contains("run 2 of JVM 9, entered after 1.5 ms"), out());
    assertTrue(lines.get(2).contains("reset in 20.0 ms, ended by force with signal 9"), out());
    assertEquals(111, run("why", "10", "c_3"));
    assertTrue(out().contains("crashed in or after run 3: died (it ended by itself"), out());
    assertTrue(out().contains("), signal 11"), out());
    assertTrue(err.toString(StandardCharsets.UTF_8).contains("knows nothing of c_3"));
    assertEquals(0, run("why", "c_4"));
    assertTrue(out().contains("retired after 1 runs: asked (the pool service or"), out());
    assertTrue(
        out().contains("doubt: library libx.so.1 stays loaded (a native library of the run"),
        out());
    assertTrue(out().contains("retired after 1 runs: of another version\n"), out());
  }

  @Test
  void whyTellsOfClones() throws Exception {
    String line =
        "{\"at_ms\":1000,\"event\":\"run\",\"client_pid\":7,\"main_class\":\"A\",\"served\":\"pool\","
            + "\"jvm_pid\":9,\"lease_us\":1500,\"fingerprint\":\"f\",\"isolation\":\"%s\",\"warm\":%b,"
            + "\"run\":1}%n";
    Files.writeString(
        temp.pool().userFolder().resolve("journal"),
        line.formatted("clone", true)
            + line.formatted("reuse", false)
            + "{\"at_ms\":1,\"event\":\"retired\",\"jvm_pid\":9,\"run\":1,\"reason\":\"served\"}\n");
    assertEquals(0, run("why", "9"));
    List<String> lines = out().lines().toList();
    assertTrue(
        lines.get(0).endsWith("run 1 of JVM 9 (clone, warm), entered after 1.5 ms, fingerprint f"),
        out());
    assertTrue(lines.get(1).contains("run 1 of JVM 9 (reuse, not warm), entered"), out());
    assertTrue(lines.get(2).contains("served (it was a clone and has served its run"), out());
  }

  @Test
  void drainClosesAndUndrainOpens() throws Exception {
    String fingerprint = "a".repeat(32);
    assertEquals(0, run("drain"));
    assertTrue(Files.exists(temp.pool().userFolder().resolve("drained")));
    assertTrue(idle.requests().contains("RETIRE") && leased.requests().contains("RETIRE"));
    assertEquals(0, run("undrain"));
    assertFalse(Files.exists(temp.pool().userFolder().resolve("drained")));

    idle.requests().clear();
    assertEquals(0, run("drain", "aaa"));
    Path mark = temp.pool().userFolder().resolve(fingerprint).resolve("drained");
    assertTrue(Files.exists(mark));
    assertTrue(idle.requests().contains("RETIRE"));
    assertEquals(0, run("undrain", "aaa"));
    assertFalse(Files.exists(mark));
    assertEquals(111, run("drain", "b"));
  }
}
