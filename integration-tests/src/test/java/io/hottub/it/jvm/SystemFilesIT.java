// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.Pool;
import io.hottub.it.harness.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Machines that change while JVMs are idle, in namespaces of their own. The native case 63-system
 * goes through all that is looked at.
 */
@NeedsHome
@Tag("clones")
class SystemFilesIT {
  private Pool pool;
  private Path classes;

  @BeforeEach
  void create() throws Exception {
    pool = new Pool();
    classes = Programs.compile(pool.work().resolve("classes"), "HostNames", "UserNames");
  }

  @AfterEach
  void close() throws Exception {
    pool.close();
  }

  /**
   * Runs a script in namespaces of its own. In it {@code both NAME} runs the program on a stock JVM
   * and in the pool, twice, each into a file of that name.
   */
  private void run(String namespace, String main, String script) throws Exception {
    List<String> program = List.of("-cp", classes.toString(), main);
    String functions =
        """
        run() { "$1" %1$s >"$2" 2>&1 </dev/null; }
        both() {
          run %2$s "$1.stock"
          for lease in 1 2; do run %3$s "$1.$lease"; sleep 1; done
        }
        """
            .formatted(String.join(" ", program), Home.STOCK_JAVA, Home.JAVA);
    assumeTrue(
        new ProcessBuilder("unshare", namespace, "true").start().waitFor() == 0,
        "unshare " + namespace + " is not permitted");
    ProcessBuilder bash =
        pool.builder(List.of("unshare", namespace, "bash", "-euc", functions + script));
    Path said = pool.work().resolve("said");
    bash.redirectErrorStream(true).redirectOutput(said.toFile());
    assertEquals(0, bash.start().waitFor(), () -> read(said));
    pool.awaitIdle();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** What the stock JVM wrote, and each run in the pool. */
  private String same(String name) {
    String stock = read(pool.work().resolve(name + ".stock"));
    assertTrue(stock.endsWith("end\n"), stock);
    for (int lease = 1; lease <= 2; lease++) {
      assertEquals(stock, read(pool.work().resolve(name + "." + lease)), name + " " + lease);
    }
    return stock;
  }

  private long coldRuns() throws Exception {
    return pool.servedBy().stream().filter(pid -> pid == 0).count();
  }

  @Test
  void addressesOfVersion6ComeAndGo() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/net/if_inet6")), "the kernel has no IP version 6");
    run(
        "--net",
        "HostNames",
        """
        perl -e 'socket(my $s, 2, 2, 0); my $r = pack "Z16 s x22", "lo", 0x41; ioctl($s, 0x8914, $r) or die'
        disabled() { echo "$1" >/proc/sys/net/ipv6/conf/all/disable_ipv6; }
        both with
        disabled 1
        both without
        disabled 0
        both again
        """);
    String with = same("with");
    assertTrue(with.contains("channel of version 6: is bound"), with);
    assertNotEquals(with, same("without"));
    assertEquals(with, same("again"));
    assertEquals(0, coldRuns(), pool.logs());
  }

  @Test
  void librariesInEveryProcessAreNotShared() throws Exception {
    Path library = Programs.compileLibrary(pool.work().resolve("libpreloaded.so"), "preloaded");
    run(
        "--mount",
        "HostNames",
        """
        cp -a /etc etc
        mount --bind etc /etc
        both without
        echo %s >/etc/ld.so.preload
        both with
        """
            .formatted(library));
    String without = same("without");
    String with = same("with");
    assertTrue(with.contains("preloaded\n"), with);
    assertNotEquals(without, with);
    assertEquals(2, coldRuns(), pool.logs());
  }

  @Test
  void usersHaveTheNamesThatTheyHaveNow() throws Exception {
    run(
        "--mount",
        "UserNames",
        """
        cp -a /etc etc
        mount --bind etc /etc
        both before
        uid=$(id -u)
        sed -i "s|^\\([^:]*\\):\\([^:]*\\):$uid:.*|alice:x:$uid:0::/home/alice:/bin/sh|" /etc/passwd
        both alice
        sed -i "/^alice:/d" /etc/passwd
        both without
        """);
    same("before");
    String alice = same("alice");
    assertTrue(alice.contains("user.name: alice\nuser.home: /home/alice\n"), alice);
    // Services beside the file may know of root.
    assertNotEquals(alice, same("without"));
    assertEquals(0, coldRuns(), pool.logs());
    pool.assertOneJvmServedLast(6);
  }
}
