// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import io.hottub.it.harness.Run;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The log that a JVM writes of its own leases, where the pool's file {@code jvm-log} asks for it.
 */
@NeedsHome
class LogIT {
  private static final List<String> PHASES_OF_A_LEASE =
      List.of(
          "lease N begins",
          "lease N: main entered after \\d+ us",
          "lease N: run ended with status 0 after \\d+ us",
          "lease N: threads ended in \\d+ us",
          "classes reset: \\d+ to be initialized again, \\d+ cleared, in \\d+ us",
          "snapshot restored: \\d+ items, in \\d+ us",
          "heap collected in \\d+ us",
          "free heap given back in \\d+ us",
          "memory outside of the heap freed: \\d+ blocks, in \\d+ us",
          "audit: clean in \\d+ us",
          "lease N: idle, \\d+ us after the run");

  private Pool pool;
  private Path classes;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    classes = pool.work().resolve("classes");
    Files.writeString(pool.userFolder().resolve("jvm-log"), "info\n");
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  /** The log of the only JVM, once it is there. */
  private Path log() throws Exception {
    return pool.sockets().get(0).folder().resolve("jvm-" + pool.state().jvmPid() + ".log");
  }

  @Test
  void theLogHasThePhasesOfEveryLeaseAndNothingOfItsRuns() throws Exception {
    Programs.compile(classes, "Small");
    List<String> arguments =
        List.of("-cp", classes.toString(), "-Dsecret.name=secretValue", "Small", "secretArgument");
    Outcome cold = pool.cold(arguments);
    for (int run = 0; run < 2; run++) {
      assertEquals(cold, pool.run(arguments));
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(2);
    Path log = log();
    pool.retireAll();

    List<String> expected = new ArrayList<>();
    expected.add("S0: \\d+ objects recorded in \\d+ us");
    for (String lease : List.of("1", "2")) {
      PHASES_OF_A_LEASE.forEach(phase -> expected.add(phase.replace("N", lease)));
    }
    expected.add("retires after 2 leases: asked");
    String text = Files.readString(log);
    int seen = 0;
    for (String line : text.lines().toList()) {
      seen += seen < expected.size() && line.matches(".*\\] " + expected.get(seen)) ? 1 : 0;
    }
    assertEquals(expected.size(), seen, "lines that are there in this order, of " + text);
    assertFalse(text.contains("secret"), text);
    assertFalse(text.contains(classes.toString()), text);
  }

  @Test
  void withoutTheFileNoLogIsWritten() throws Exception {
    Programs.compile(classes, "Small");
    Files.delete(pool.userFolder().resolve("jvm-log"));
    assertEquals(0, pool.run("-cp", classes.toString(), "Small").status());
    pool.awaitIdle();
    assertFalse(Files.exists(log()), pool.logs());
  }

  /** The descriptor of its log would not be the JVM's own any more. */
  @Test
  void aRunThatChangesTheLogsEndsTheJvm() throws Exception {
    Programs.compile(classes, "kinds/Unresettable");
    List<String> arguments =
        List.of(
            "-cp",
            classes.toString(),
            "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
            "kinds.Unresettable",
            "logs");
    Outcome cold = pool.cold(arguments);
    assertEquals(3, cold.status(), cold.toString());
    assertEquals(cold, pool.run(arguments), pool.logs());
    Run.await("the JVM has retired", () -> pool.sockets().isEmpty());
    String logs = pool.logs();
    assertTrue(logs.contains("a tool has changed the logs of the JVM"), logs);
  }
}
