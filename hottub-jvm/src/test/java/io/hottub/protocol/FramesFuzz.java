// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Whatever a keeper answers, a request ends with a result or an IOException. Input: one byte that
 * says what is asked first, and all that the keeper ever says.
 */
public final class FramesFuzz {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int MAX_REQUESTS = 4;

  private static KeeperSocket socket;
  private static ServerSocketChannel server;

  private FramesFuzz() {}

  private static void listen() throws IOException {
    TempPool temp = new TempPool();
    Path folder = Files.createDirectory(temp.pool().userFolder().resolve("f".repeat(32)));
    socket = new KeeperSocket(folder, 7, true);
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket.pathWhenIdle()));
    temp.closeAtExit();
  }

  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    if (input.length == 0) {
      return;
    }
    if (server == null) {
      listen();
    }
    try (KeeperConnection connection = KeeperConnection.open(socket, TIMEOUT);
        SocketChannel keeper = server.accept()) {
      keeper.write(
          ByteBuffer.wrap(input, 1, Math.min(input.length - 1, FrameCodec.MAX_PAYLOAD_BYTES)));
      keeper.shutdownOutput();
      for (int i = 0; i < MAX_REQUESTS; i++) {
        ask(connection, input[0] + i);
      }
    } catch (IOException e) {
      // As it should be: nothing that the keeper says is relied on before it is checked.
    }
  }

  private static void ask(KeeperConnection connection, int what) throws IOException {
    switch (what & 3) {
      case 0 -> StateFuzz.check(connection.status());
      case 1 -> connection.audit();
      case 2 -> connection.revoke(9, TIMEOUT);
      default -> connection.retire();
    }
  }
}
