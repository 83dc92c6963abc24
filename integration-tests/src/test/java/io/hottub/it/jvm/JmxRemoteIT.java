// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Ports;
import io.hottub.it.harness.Programs;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Management agents that the command line asks for, beside those of the distribution's JVM. */
@NeedsHome
class JmxRemoteIT {
  private static final String PREFIX = "-Dcom.sun.management.jmxremote";
  private static final int LEASES = 4;

  private Pool pool;
  private Path classes;
  private int port;

  @BeforeEach
  void createPool() throws Exception {
    pool = new Pool();
    classes = Programs.compile(pool.work().resolve("classes"), "Managed");
    port = Ports.free(1).get(0);
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  private List<String> arguments(List<String> options, String... more) {
    List<String> arguments = new ArrayList<>(options);
    arguments.addAll(List.of("-cp", classes.toString(), "Managed"));
    arguments.addAll(List.of(more));
    return arguments;
  }

  /** With the pid of its process in the environment. */
  private Outcome run(Path java, List<String> arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "PROCESS=$$ exec \"$@\"", "sh"));
    command.addAll(Pool.command(java, arguments));
    return pool.start(pool.builder(command)).await();
  }

  /** All leases behave as the stock JVM, and all but the first are warm. */
  private Outcome assertAsStock(List<String> arguments) throws Exception {
    Outcome stock = run(Home.STOCK_JAVA, arguments);
    for (int lease = 0; lease < LEASES; lease++) {
      assertEquals(stock, run(Home.JAVA, arguments), () -> "pooled");
      pool.awaitIdle();
    }
    pool.assertOneJvmServedLast(LEASES);
    return stock;
  }

  @Test
  void aPortIsOpenInEveryRun() throws Exception {
    Outcome stock =
        assertAsStock(
            arguments(
                List.of(
                    PREFIX + ".port=" + port,
                    PREFIX + ".ssl=false",
                    PREFIX + ".authenticate=false")));
    assertTrue(stock.out().contains("collected"), stock.out());
    assertTrue(stock.out().contains(":" + port + "/jmxrmi"), stock.out());
    // A JVM of the pool that waits for its next run listens nowhere.
    new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
  }

  @Test
  void usersNeedTheirPasswords() throws Exception {
    Path passwords = Files.writeString(pool.work().resolve("passwords"), "ann secret\nbob open\n");
    Path access = Files.writeString(pool.work().resolve("access"), "ann readwrite\nbob readonly\n");
    Files.setPosixFilePermissions(passwords, PosixFilePermissions.fromString("rw-------"));
    Outcome stock =
        assertAsStock(
            arguments(
                List.of(
                    PREFIX + ".port=" + port,
                    PREFIX + ".ssl=false",
                    PREFIX + ".password.file=" + passwords,
                    PREFIX + ".access.file=" + access),
                "ann",
                "secret",
                "ann",
                "wrong",
                "bob",
                "open"));
    assertTrue(stock.out().contains("Authentication failed"), stock.out());
    assertTrue(stock.out().contains("Access denied"), stock.out());
    assertTrue(stock.out().contains("collected"), stock.out());
  }

  @Test
  void aLocalAgentIsFoundByItsCounters() throws Exception {
    Outcome stock = assertAsStock(arguments(List.of(PREFIX)));
    assertTrue(stock.out().contains("JMXConnectorServer.address"), stock.out());
  }

  @Test
  void anAgentThatCannotStartEndsTheRun() throws Exception {
    try (ServerSocket taken = new ServerSocket(port)) {
      Outcome stock =
          assertAsStock(
              arguments(
                  List.of(
                      PREFIX + ".port=" + port,
                      PREFIX + ".ssl=false",
                      PREFIX + ".authenticate=false")));
      assertEquals(1, stock.status());
      assertEquals("", stock.out());
      assertTrue(stock.err().contains("Port already in use: " + taken.getLocalPort()), stock.err());
    }
  }
}
