// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KeeperConnectionTest {
  private static final Duration TIMEOUT = Duration.ofMillis(500);

  private TempPool temp;
  private Path folder;
  private MockKeeper keeper;

  @BeforeEach
  void createPool() throws IOException {
    temp = new TempPool();
    folder = MockKeeper.fingerprintFolder(temp.pool(), "a");
  }

  @AfterEach
  void removePool() throws IOException {
    if (keeper != null) {
      keeper.close();
    }
    temp.close();
  }

  private KeeperConnection connect(MockKeeper.Behaviour behaviour) throws IOException {
    keeper = MockKeeper.idle(folder, 7, behaviour);
    return KeeperConnection.open(keeper.socket(), TIMEOUT);
  }

  private static ByteBuffer header(int magic, int version, int type, int length) {
    return ByteBuffer.allocate(12)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(magic)
        .putShort((short) version)
        .putShort((short) type)
        .putInt(length)
        .flip();
  }

  private IOException failsOn(byte[] answer) throws IOException {
    try (KeeperConnection connection = connect((request, payload) -> answer)) {
      return assertTimeoutPreemptively(
          Duration.ofSeconds(5), () -> assertThrows(IOException.class, connection::status));
    }
  }

  @Test
  void severalRequestsOnOneConnection() throws Exception {
    String json = MockKeeper.stateJson(7, JvmState.IDLE, "main_class", "é");
    AtomicReference<byte[]> revoked = new AtomicReference<>();
    MockKeeper.Behaviour behaviour =
        (request, payload) -> {
          if (request.equals("REVOKE")) {
            revoked.set(payload);
          }
          return request.equals("STATUS") || request.equals("AUDIT")
              ? MockKeeper.state(json)
              : MockKeeper.done();
        };
    try (KeeperConnection connection = connect(behaviour)) {
      assertEquals("é", connection.status().mainClass());
      connection.revoke(9, TIMEOUT);
      assertEquals(json, connection.audit());
      connection.retire();
    }
    assertEquals(List.of(9, 0, 0, 0), Arrays.asList(boxed(revoked.get())));
  }

  private static Integer[] boxed(byte[] bytes) {
    Integer[] result = new Integer[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      result[i] = (int) bytes[i];
    }
    return result;
  }

  @Test
  void revokeWaitsForTheEndOfTheLease() throws Exception {
    MockKeeper.Behaviour slow =
        (request, payload) -> {
          try {
            Thread.sleep(2 * TIMEOUT.toMillis());
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return MockKeeper.done();
        };
    try (KeeperConnection connection = connect(slow)) {
      connection.revoke(9, Duration.ofSeconds(20));
    }
    keeper.close();
    try (KeeperConnection connection = connect(slow)) {
      assertThrows(SocketTimeoutException.class, () -> connection.revoke(9, TIMEOUT));
    }
  }

  @Test
  void findsASocketThatWasRenamedSinceItWasListed() throws Exception {
    keeper =
        MockKeeper.busy(
            folder,
            7,
            (request, payload) -> MockKeeper.state(MockKeeper.stateJson(7, JvmState.LEASED)));
    KeeperSocket asListed = new KeeperSocket(folder, 7, true);
    try (KeeperConnection connection = KeeperConnection.open(asListed, TIMEOUT)) {
      assertEquals(JvmState.LEASED, connection.status().state());
    }
  }

  @Test
  void tellsADeadKeeperFromOneThatHasEnded() throws Exception {
    keeper = MockKeeper.idle(folder, 7, (request, payload) -> null);
    keeper.kill();
    assertThrows(ConnectException.class, () -> KeeperConnection.open(keeper.socket(), TIMEOUT));
    keeper.close();
    assertThrows(NoSuchFileException.class, () -> KeeperConnection.open(keeper.socket(), TIMEOUT));
  }

  @Test
  void refusalNamesTheReason() throws Exception {
    IOException e = failsOn(MockKeeper.refused(2));
    assertInstanceOf(RefusedException.class, e);
    assertTrue(e.getMessage().contains("retiring"), e.getMessage());
  }

  @Test
  void wrongMagic() throws Exception {
    assertInstanceOf(ProtocolException.class, failsOn(header(1, 1, 8, 0).array()));
  }

  @Test
  void wrongVersionIsNamed() throws Exception {
    IOException e = failsOn(header(0x42555448, 2, 8, 0).array());
    assertEquals("the keeper speaks protocol version 2, this library 1", e.getMessage());
  }

  @Test
  void unknownTypeAndUnexpectedType() throws Exception {
    assertInstanceOf(ProtocolException.class, failsOn(header(0x42555448, 1, 99, 0).array()));
    keeper.close();
    assertInstanceOf(ProtocolException.class, failsOn(MockKeeper.done()));
  }

  @Test
  void lengthsThatAreTooLong() throws Exception {
    assertInstanceOf(
        ProtocolException.class, failsOn(header(0x42555448, 1, 8, 64 * 1024 + 1).array()));
    keeper.close();
    assertInstanceOf(ProtocolException.class, failsOn(header(0x42555448, 1, 8, -1).array()));
  }

  @Test
  void textThatIsNotUtf8() throws Exception {
    ByteBuffer payload = ByteBuffer.wrap(new byte[] {(byte) 0xff, (byte) 0xfe});
    byte[] answer = FrameCodec.encode(new Frame(FrameType.STATE, payload)).array();
    assertInstanceOf(ProtocolException.class, failsOn(answer));
  }

  @Test
  void silenceAndHalfAFrameEndInATimeout() throws Exception {
    assertInstanceOf(SocketTimeoutException.class, failsOn(null));
    keeper.close();
    assertInstanceOf(SocketTimeoutException.class, failsOn(new byte[] {'H', 'T'}));
    keeper.close();
    assertInstanceOf(SocketTimeoutException.class, failsOn(header(0x42555448, 1, 8, 100).array()));
  }

  @Test
  void closingWithinAFrame() throws Exception {
    MockKeeper.Behaviour closing =
        (request, payload) -> {
          try {
            keeper.close();
          } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
          return null;
        };
    try (KeeperConnection connection = connect(closing)) {
      assertThrows(EOFException.class, connection::status);
    }
  }

  @Test
  void interruptEndsTheWait() throws Exception {
    keeper = MockKeeper.idle(folder, 7, (request, payload) -> null);
    AtomicReference<Exception> seen = new AtomicReference<>();
    Thread thread =
        new Thread(
            () -> {
              try (KeeperConnection connection =
                  KeeperConnection.open(keeper.socket(), Duration.ofMinutes(1))) {
                connection.status();
              } catch (Exception e) {
                seen.set(e);
              }
            });
    thread.start();
    while (keeper.requests().isEmpty()) {
      Thread.sleep(5);
    }
    thread.interrupt();
    thread.join(5_000);
    assertInstanceOf(InterruptedIOException.class, seen.get());
  }

  @Test
  void payloadThatIsTooLongIsNeverSent() {
    Frame frame = new Frame(FrameType.STATE, ByteBuffer.allocate(64 * 1024 + 1));
    assertThrows(IllegalArgumentException.class, () -> FrameCodec.encode(frame));
  }

  @Test
  void socketIsListedByThePool() throws Exception {
    keeper = MockKeeper.idle(folder, 7, (request, payload) -> null);
    assertEquals(List.of(keeper.socket()), temp.pool().sockets());
    assertTrue(Files.exists(folder));
  }
}
