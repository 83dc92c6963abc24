// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import io.hottub.protocol.KeeperState;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a run knew is nowhere in the memory of a pooled JVM after it; templates and clones too. */
@NeedsHome
@Tag("clones")
class SecretsIT {
  private static final int RUNS = 3;

  private Pool pool;
  private Path classes;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    classes = Programs.compile(pool.work().resolve("classes"), "Secrets");
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  /** What all of them begin with; compiled classes do not contain it. */
  private static final String SECRET = "GEHEIM".toLowerCase(java.util.Locale.ROOT) + 0x5ec2e7;

  private static String secret(int number) {
    return SECRET + "-0123456789-abcdefgh-" + number;
  }

  private List<String> command(String options) {
    List<String> command = new ArrayList<>();
    command.add(Home.JAVA.toString());
    command.addAll(Arrays.asList(options.split(" ")));
    // A debug build of HotSpot overwrites all free memory with a pattern, checks that nobody has
    // changed it, and so leaves no work for the reset (HotTubMemory). Without that, the test
    // looks at what a release build does, with all other assertions.
    command.addAll(List.of("-XX:+IgnoreUnrecognizedVMOptions", "-XX:-ZapUnusedHeapArea"));
    command.addAll(List.of("-cp", classes.toString(), "Secrets"));
    return command;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-XX:+UseG1GC -Xmx256m",
        "-XX:+UseParallelGC -Xmx256m",
        "-XX:+UseSerialGC -Xmx256m",
        "-XX:+UseSerialGC -Xmx64m -Xint"
      })
  void noneIsLeft(String options) throws Exception {
    for (int i = 0; i < RUNS; i++) {
      List<String> command = command(options);
      command.add(1, "-Dgiven=" + secret(i));
      ProcessBuilder builder = pool.builder(command);
      builder.environment().put("SECRET", secret(i));
      assertEquals(new Outcome(0, "planted\n", ""), pool.start(builder).await());
      pool.awaitIdle();
      for (KeeperState jvm : pool.states()) {
        ProcessMemory memory = new ProcessMemory(jvm.jvmPid());
        assertEquals(List.of(), memory.find(SECRET), "run " + i + ", " + jvm.state());
      }
    }
    pool.assertOneJvmServedLast(RUNS);
  }

  /** The search itself finds what is there. */
  @Test
  void theyAreThereInTheRun() throws Exception {
    List<String> command = command("-XX:+UseSerialGC");
    command.add("wait");
    ProcessBuilder builder = pool.builder(command).redirectInput(Redirect.PIPE);
    builder.environment().put("SECRET", secret(0));
    Process process = builder.start();
    try (var out = process.inputReader()) {
      assertEquals("planted", out.readLine());
      assertFalse(new ProcessMemory(pool.state().jvmPid()).find(SECRET).isEmpty());
      process.getOutputStream().close();
      assertEquals(0, process.waitFor());
    } finally {
      process.destroyForcibly();
    }
    pool.awaitIdle();
  }
}
