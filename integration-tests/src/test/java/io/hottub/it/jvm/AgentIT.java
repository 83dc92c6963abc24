// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import io.hottub.it.harness.Run;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Agents change classes for good: on the command line they make a run cold, attached ones make it
 * the last of its JVM.
 */
@NeedsHome
class AgentIT {
  private static final Outcome PLAIN = new Outcome(0, "PLAIN false []\nPLAIN false\n", "");

  private Pool pool;
  private Path jar;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    jar = pool.work().resolve("agent.jar");
    Path classes = Programs.compile(pool.work().resolve("classes"), "Agent");
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.MAIN_CLASS, "Agent");
    for (String name : List.of("Premain-Class", "Agent-Class")) {
      attributes.putValue(name, "Agent");
    }
    attributes.putValue("Can-Retransform-Classes", "true");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest);
        Stream<Path> files = Files.list(classes)) {
      for (Path each : files.sorted().toList()) {
        out.putNextEntry(new JarEntry(each.getFileName().toString()));
        Files.copy(each, out);
      }
    }
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  private String[] withJar(String... options) {
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.addAll(List.of("-cp", jar.toString(), "Agent"));
    return arguments.toArray(String[]::new);
  }

  private Outcome loadAgent() throws Exception {
    Path tool = Home.JAVA.resolveSibling("jcmd");
    String jvm = Long.toString(pool.state().jvmPid());
    return pool.start(
            pool.builder(List.of(tool.toString(), jvm, "JVMTI.agent_load", jar.toString())))
        .await();
  }

  private void assertRetired() throws Exception {
    Run.await("the JVM has ended", () -> pool.sockets().isEmpty());
    assertTrue(pool.logs().contains("an agent was loaded"), pool.logs());
    assertEquals(PLAIN, pool.run(withJar()), pool.logs());
    assertTrue(pool.state().run() == 1, pool.logs());
  }

  @Test
  void anAgentOnTheCommandLineMakesTheRunCold() throws Exception {
    String[] arguments = withJar("-javaagent:" + jar + "=some");
    Outcome stock = pool.cold(arguments);
    assertEquals("DIRTY true []\nDIRTY true\n", stock.out());
    for (int i = 0; i < 2; i++) {
      assertEquals(stock, pool.run(arguments));
      assertEquals(PLAIN, pool.run(withJar()), pool.logs());
      pool.awaitIdle();
    }
    List<Long> served = pool.servedBy();
    assertEquals(List.of(0L, 0L), List.of(served.get(0), served.get(2)), pool.logs());
    assertEquals(served.get(1), served.get(3), pool.logs());
    assertTrue(Files.readString(pool.trace()).contains("\"reason\":\"agent\""), pool.logs());
  }

  @Test
  void aRunIntoWhichAToolLoadsAnAgentIsTheLastOfItsJvm() throws Exception {
    assertEquals(PLAIN, pool.run(withJar()));
    pool.awaitIdle();
    ProcessBuilder builder = pool.builder(Pool.command(Home.JAVA, List.of(withJar())));
    builder.redirectInput(ProcessBuilder.Redirect.PIPE);
    Process process = builder.start();
    try {
      assertEquals("PLAIN false []", readLine(process));
      Outcome loaded = loadAgent();
      assertEquals(0, loaded.status(), loaded.toString());
      process.getOutputStream().close();
      assertEquals("DIRTY true", readLine(process));
      assertEquals(0, process.waitFor());
    } finally {
      process.destroyForcibly();
    }
    assertRetired();
  }

  /** Byte by byte: nothing is lost in a buffer. */
  private static String readLine(Process process) throws Exception {
    StringBuilder line = new StringBuilder();
    for (int c; (c = process.getInputStream().read()) >= 0 && c != '\n'; ) {
      line.append((char) c);
    }
    return line.toString();
  }

  @Test
  void anAgentThatIsLoadedBetweenRunsDoesNotReachTheNextOne() throws Exception {
    assertEquals(PLAIN, pool.run(withJar()));
    pool.awaitIdle();
    loadAgent();
    Outcome next = pool.run(withJar());
    assertEquals(0, next.status(), pool.logs());
    assertEquals(PLAIN, next, pool.logs());
    assertEquals(0L, pool.servedBy().get(1), pool.logs());
    assertRetired();
  }
}
