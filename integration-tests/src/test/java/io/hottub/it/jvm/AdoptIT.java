// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Outcome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import io.hottub.protocol.jdk.Adoption;
import io.hottub.protocol.jdk.Jdk;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A machine whose JDK trusts an authority of its own and has settings of its own, and a HotTub home
 * that was built elsewhere.
 */
@NeedsHome
@Tag("clones")
class AdoptIT {
  private static final String PASSWORD = "changeit";

  private Pool pool;
  private Path jdk;
  private Path home;
  private Path classes;
  private Path keys;

  @BeforeEach
  void make() throws Exception {
    pool = new Pool();
    classes = Programs.compile(pool.work().resolve("classes"), "TrustedServer");
    jdk = copyOf(Home.STOCK_JAVA, "jdk");
    home = copyOf(Home.JAVA, "home");
    keys = pool.work().resolve("keys.p12");
    keytool("-genkeypair", "-alias", "own", "-keyalg", "EC", "-dname", "CN=own", "-keystore", keys);
    trustIt();
    Path settings = jdk.resolve("conf/security/java.security");
    String strict = "jdk.tls.disabledAlgorithms=";
    Files.writeString(
        settings,
        Files.readString(settings).replace("\n" + strict, "\n" + strict + "TLSv1.2, ")
            + "\nhottub.test=as the machine\n");
  }

  @AfterEach
  void closePool() throws Exception {
    pool.close();
  }

  /** What of it runs programs. */
  private Path copyOf(Path java, String name) throws Exception {
    Path original = java.getParent().getParent();
    Path copy = Files.createDirectory(pool.work().resolve(name));
    List<String> command = new ArrayList<>(List.of("cp", "-a", "--reflink=auto"));
    for (String part : List.of("bin", "conf", "lib", "release")) {
      command.add(original.resolve(part).toString());
    }
    command.add(copy.toString());
    run(command);
    return copy;
  }

  private static void run(List<String> command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
  }

  private void keytool(Object... words) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Home.STOCK_JAVA.resolveSibling("keytool").toString());
    for (Object word : words) {
      command.add(word.toString());
    }
    command.addAll(List.of("-storepass", PASSWORD));
    run(command);
  }

  private void trustIt() throws Exception {
    Path certificate = pool.work().resolve("own.crt");
    keytool("-exportcert", "-alias", "own", "-file", certificate, "-keystore", keys);
    Path trusted = jdk.resolve("lib/security/cacerts");
    keytool(
        "-importcert", "-noprompt", "-alias", "own", "-file", certificate, "-keystore", trusted);
  }

  private Outcome run(Path java) throws Exception {
    List<String> command =
        List.of(java.toString(), "-cp", classes.toString(), "TrustedServer", keys.toString());
    Outcome outcome = pool.start(pool.builder(command)).await();
    pool.awaitIdle();
    return outcome;
  }

  private void assertAll(Outcome expected) throws Exception {
    assertEquals(expected, run(home.resolve("bin/java-cold")), "cold");
    for (int lease = 1; lease <= 2; lease++) {
      assertEquals(expected, run(home.resolve("bin/java")), "lease " + lease);
    }
  }

  @Test
  void runsTrustWhomTheMachineTrusts() throws Exception {
    Outcome stock = run(jdk.resolve("bin/java"));
    assertEquals(
        "read 42\nset to as the machine\nTLS versions: 1\n", stock.out(), stock.toString());
    Outcome before = run(home.resolve("bin/java-cold"));
    assertTrue(before.out().contains("unable to find valid certification path"), before.out());
    assertAll(before);

    new Adoption(home).adopt(new Jdk(jdk));
    assertAll(stock);

    // What changes on the machine, changes for JVMs that are warm, too.
    keytool("-delete", "-alias", "own", "-keystore", jdk.resolve("lib/security/cacerts"));
    Outcome later = run(jdk.resolve("bin/java"));
    assertTrue(later.out().contains("unable to find valid certification path"), later.out());
    assertAll(later);
    trustIt();
    assertAll(stock);

    new Adoption(home).undo();
    assertAll(before);
    pool.assertOneJvmServedLast(10);
  }
}
