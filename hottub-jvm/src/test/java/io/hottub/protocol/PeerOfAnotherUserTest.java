// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Only root can put a socket of somebody else where a keeper's is expected. */
class PeerOfAnotherUserTest {
  private static final String OTHER_UID = "65534";

  @TempDir Path open;

  /** The program of the other user: listens on a socket, says so, and waits to be ended. */
  static final class Listener {
    private Listener() {}

    public static void main(String[] args) throws IOException, InterruptedException {
      try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        server.bind(UnixDomainSocketAddress.of(args[0]));
        System.out.write('!');
        System.out.flush();
        Thread.sleep(Duration.ofMinutes(1).toMillis());
      }
    }
  }

  @Test
  void isRefused() throws Exception {
    assumeTrue(OwnUser.uid() == 0, "needs root");
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    // The classes of the test may be in a folder that the other user cannot enter.
    Path classes = Files.createDirectories(open.resolve("classes/io/hottub/protocol"));
    String name = Listener.class.getName().substring(Listener.class.getPackageName().length() + 1);
    try (var in = Listener.class.getResourceAsStream(name + ".class")) {
      Files.copy(in, classes.resolve(name + ".class"));
    }
    Path socket = open.resolve("socket");
    Process other =
        new ProcessBuilder(
                "setpriv",
                "--reuid=" + OTHER_UID,
                "--regid=" + OTHER_UID,
                "--clear-groups",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                open.resolve("classes").toString(),
                Listener.class.getName(),
                socket.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (TempPool temp = new TempPool()) {
      assertEquals('!', other.getInputStream().read());
      Path folder = MockKeeper.fingerprintFolder(temp.pool(), "a");
      Files.createDirectory(folder);
      KeeperSocket asKeeper = new KeeperSocket(folder, other.pid(), true);
      Files.move(socket, asKeeper.pathWhenIdle());

      ProtocolException e =
          assertThrows(
              ProtocolException.class,
              () -> KeeperConnection.open(asKeeper, Duration.ofSeconds(2)));
      assertTrue(e.getMessage().contains("belongs to a process of"), e.getMessage());
    } finally {
      other.destroyForcibly().waitFor();
    }
  }
}
