// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.protocol.PoolDirectory;
import io.hottub.protocol.Reasons;
import io.hottub.protocol.Reasons.Kind;
import io.hottub.protocol.Reasons.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process says of itself; that of the test stands for it. */
class OwnJvmTest {
  @TempDir Path folder;
  private Path home;
  private Path root;

  @BeforeEach
  void makeHome() throws Exception {
    home = Files.createDirectories(folder.resolve("home"));
    Files.createDirectories(home.resolve("lib/hottub"));
    Files.createFile(home.resolve("lib/hottub/build-id"));
    root = folder.resolve("p");
  }

  private Served served(String executable, Map<String, String> environment) throws Exception {
    return new OwnJvm(home, home.resolve(executable), environment, 1).await();
  }

  private Map<String, String> pool() {
    return Map.of("HOTTUB_DIR", root.toString());
  }

  @Test
  void anotherJavaIsColdWithoutLookingFurther() throws Exception {
    Files.delete(home.resolve("lib/hottub/build-id"));
    assertEquals(Served.cold("other-java"), served("bin/java", pool()));
    assertEquals("other-java", OwnJvm.ofThisProcess().await().reason());
  }

  @Test
  void whatTheUserSwitchedOffIsCold() throws Exception {
    assertEquals(Served.cold("off"), served("bin/java-cold", Map.of("HOTTUB", "off")));
  }

  @Test
  void theReasonWithoutAPoolIsTheClients() throws Exception {
    Map<String, String> nowhere = Map.of("HOTTUB_DIR", folder + "/no/such");
    assertEquals(Served.cold("no-pool-directory"), served("bin/java-cold", nowhere));
  }

  @Test
  void withoutARecordTheProcessTellsWhatItIs() throws Exception {
    assertEquals(Served.cold("no-journal"), served("bin/java-cold", pool()));
    assertEquals("", served("lib/hottub/pooled-java", pool()).reason());
    assertEquals("", served("lib/hottub/pooled-java (deleted)", pool()).reason());
  }

  @Test
  void theRecordTellsWhereThereIsOne() throws Exception {
    PoolDirectory pool = PoolDirectory.at(root);
    pool.create();
    String line =
        """
        {"at_ms":%d,"event":"run","client_pid":%d,"served":"cold","reason":"log"}
        """;
    long pid = ProcessHandle.current().pid();
    Files.writeString(
        pool.userFolder().resolve("journal"), line.formatted(System.currentTimeMillis(), pid));
    assertEquals(Served.cold("log"), served("bin/java-cold", pool()));
  }

  @Test
  void theTableHasTheReasonsOfThePlugIn() {
    assertEquals(
        List.of("other-java", "no-journal"),
        Reasons.of(Kind.PLUG_IN).stream().map(Reason::word).toList());
  }
}
