// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Ports;
import io.hottub.it.harness.Programs;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Agents of the command line for which the pool's owner vouches: each run starts them anew, as the
 * distribution's JVM does.
 */
@NeedsHome
class VouchedAgentsIT {
  private static final int LEASES = 5;
  private static final Path EXPORTERS =
      Path.of(System.getProperty("hottub.test.libraries"), "exporters");

  private Pool pool;
  private Path classes;
  private Path agent;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    classes = Programs.compile(pool.work().resolve("classes"), "Premain", "Measured");
    agent = agent("agent.jar");
    vouchFor("# tested", "Premain  # ours", "io.prometheus.jmx.JavaAgent");
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  private void vouchFor(String... lines) throws Exception {
    Files.write(pool.userFolder().resolve("agents"), List.of(lines));
  }

  /** With further attributes of the manifest, name by name and value. */
  private Path agent(String name, String... attributes) throws Exception {
    Path jar = pool.work().resolve(name);
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", "Premain");
    for (int i = 0; i < attributes.length; i += 2) {
      manifest.getMainAttributes().putValue(attributes[i], attributes[i + 1]);
    }
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest);
        Stream<Path> files = Files.list(classes)) {
      for (Path each : files.sorted().toList()) {
        out.putNextEntry(new JarEntry(each.getFileName().toString()));
        Files.copy(each, out);
      }
    }
    return jar;
  }

  private static List<String> premain(String agents, String... more) {
    List<String> arguments = new ArrayList<>(List.of(agents.split(" ")));
    arguments.addAll(List.of("-cp", "nothing", "Premain"));
    arguments.addAll(List.of(more));
    return arguments;
  }

  private Outcome assertAsStock(List<String> arguments) throws Exception {
    Outcome stock = pool.stock(arguments);
    for (int lease = 0; lease < LEASES; lease++) {
      assertEquals(List.of(), pool.run(arguments).differences(stock), pool::logs);
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(LEASES);
    return stock;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-javaagent:agent.jar",
        "-javaagent:agent.jar=",
        "-javaagent:agent.jar=a=b,c",
        "-javaagent:agent.jar=daemon",
        "-javaagent:agent.jar=exit",
        "-javaagent:agent.jar=first -javaagent:agent.jar=second",
        "-Xmx64m -javaagent:../work/agent.jar=relative -Dx=y"
      })
  void everyRunStartsItsAgents(String options) throws Exception {
    Outcome stock = assertAsStock(premain(options));
    assertTrue(stock.out().startsWith("premain "), stock.out());
  }

  @Test
  void agentsOfOneKindWithOtherOptionsShareAJvm() throws Exception {
    for (int lease = 0; lease < LEASES; lease++) {
      List<String> arguments = premain("-javaagent:agent.jar=of-run-" + lease);
      assertEquals(List.of(), pool.run(arguments).differences(pool.stock(arguments)));
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(LEASES);
    pool.run("-cp", agent.toString(), "Premain");
    pool.awaitIdle();
    List<Long> served = pool.servedBy();
    assertNotEquals(0L, served.get(LEASES));
    assertNotEquals(served.get(0), served.get(LEASES), "a run without agents has another JVM");
  }

  @Test
  void aRunWhoseAgentUsesItsInstrumentationIsTheLastOfItsJvm() throws Exception {
    List<String> arguments = premain("-javaagent:agent.jar -javaagent:agent.jar", "use");
    Outcome stock = pool.stock(arguments);
    assertTrue(stock.out().contains("sees Premain$Late"), stock.out());
    for (int lease = 0; lease < 2; lease++) {
      assertEquals(List.of(), pool.run(arguments).differences(stock), pool::logs);
      pool.awaitIdle();
    }
    List<Long> served = pool.servedBy();
    assertEquals(2, served.stream().filter(pid -> pid != 0).distinct().count(), pool::logs);
    assertTrue(pool.logs().contains("an agent was loaded"), pool::logs);
  }

  @Test
  void anAgentThatFailsEndsTheProcess() throws Exception {
    List<String> arguments = premain("-javaagent:agent.jar=fail");
    Outcome stock = pool.stock(arguments).normalised(VouchedAgentsIT::withoutPlaces);
    assertEquals(128 + 6, stock.status());
    assertTrue(
        stock.out().contains("FATAL ERROR in native method: processing of -javaagent failed"));
    Outcome pooled = pool.run(arguments);
    assertEquals(List.of(), pooled.normalised(VouchedAgentsIT::withoutPlaces).differences(stock));
    assertNotEquals(0L, pool.servedLast(), pool::logs);
  }

  /** Without frames of libjvm and what libinstrument asserts of itself. */
  private static String withoutPlaces(String text) {
    return text.replaceAll("(?m)^(\\*\\*\\* java.lang.instrument|[VCjJ] +\\[).*\n", "");
  }

  @Test
  void whateverWantsMoreThanToRunIsCold() throws Exception {
    agent("redefines.jar", "Can-Redefine-Classes", "true");
    agent("retransforms.jar", "Can-Retransform-Classes", "True");
    agent("boots.jar", "Boot-Class-Path", "agent.jar");
    agent("wants-nothing.jar", "Can-Redefine-Classes", "false");
    for (String jar : List.of("redefines.jar", "retransforms.jar", "boots.jar")) {
      List<String> arguments = premain("-javaagent:" + jar);
      assertEquals(List.of(), pool.run(arguments).differences(pool.stock(arguments)), jar);
      assertEquals(0L, pool.servedLast(), jar);
    }
    assertTrue(Files.readString(pool.trace()).contains("\"reason\":\"agent\""));
    pool.run(premain("-javaagent:wants-nothing.jar"));
    assertNotEquals(0L, pool.servedLast());
  }

  @Test
  void withoutAVoucherAgentsAreCold() throws Exception {
    vouchFor("#Premain", "Premai", "Premain2", "x.Premain");
    pool.run(premain("-javaagent:agent.jar"));
    Files.delete(pool.userFolder().resolve("agents"));
    pool.run(premain("-javaagent:agent.jar"));
    assertEquals(List.of(0L, 0L), pool.servedBy());
  }

  /** The most common agent, of both lines of releases. */
  @ParameterizedTest
  @ValueSource(strings = {"0.20.0", "1.0.1"})
  void theExporterOfPrometheusServesEveryRun(String version) throws Exception {
    assumeFalse(
        Home.IS_DEBUG && version.startsWith("1."),
        "a debug build of HotSpot tracks native memory, which these versions export");
    int port = Ports.free(1).get(0);
    Path jar = EXPORTERS.resolve("jmx_prometheus_javaagent-" + version + ".jar").toAbsolutePath();
    Path rules = Files.writeString(pool.work().resolve("rules.yaml"), "rules:\n- pattern: '.*'\n");
    String option = "-javaagent:%s=127.0.0.1:%d:%s".formatted(jar, port, rules);
    for (int lease = 0; lease < LEASES; lease++) {
      List<String> arguments =
          List.of(option, "-cp", classes.toString(), "Measured", "" + port, "" + (lease + 40));
      Outcome stock = pool.stock(arguments);
      assertTrue(stock.out().contains("of_the_run_Measured_Number " + (lease + 40)), stock.out());
      assertEquals(List.of(), pool.run(arguments).differences(stock), pool::logs);
      pool.awaitIdle();
      // Between runs nobody listens.
      new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
    }
    pool.assertOneJvmServedLast(1);
    List<Long> served = pool.servedBy();
    assertEquals(1, served.stream().distinct().count(), pool::logs);
  }
}
