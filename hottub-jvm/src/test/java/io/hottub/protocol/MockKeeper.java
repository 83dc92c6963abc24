// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** A keeper without a JVM: listens where a keeper would and answers as a test tells it to. */
public final class MockKeeper implements AutoCloseable {
  private static final long ENDS_MS = 10_000;

  /** What a test does instead of the keeper. */
  public interface Behaviour {
    /** Returns bytes to send, whole frames or not; null to say nothing and stay connected. */
    byte[] answer(String request, byte[] payload);
  }

  private final KeeperSocket socket;
  private final Behaviour behaviour;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<SocketChannel> connections = new CopyOnWriteArrayList<>();
  private final List<ServerSocketChannel> servers = new CopyOnWriteArrayList<>();
  private final List<Thread> listeners = new CopyOnWriteArrayList<>();

  private MockKeeper(KeeperSocket socket, Path path, Behaviour behaviour) throws IOException {
    this.socket = socket;
    this.behaviour = behaviour;
    Files.createDirectories(socket.folder().resolve("offers"));
    listen(path);
    listen(pathOfOffers());
    listen(pathOfWaking());
  }

  private Path pathOfOffers() {
    return socket.folder().resolve("offers/l-" + socket.keeperPid());
  }

  private Path pathOfWaking() {
    return socket.folder().resolve("offers/w-" + socket.keeperPid());
  }

  private void listen(Path path) throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    servers.add(server);
    server.bind(UnixDomainSocketAddress.of(path));
    Thread thread = new Thread(() -> serve(server), "mock keeper " + socket.keeperPid());
    thread.setDaemon(true);
    thread.start();
    listeners.add(thread);
  }

  public static MockKeeper idle(Path folder, long pid, Behaviour behaviour) throws IOException {
    KeeperSocket socket = new KeeperSocket(folder, pid, true);
    return new MockKeeper(socket, socket.pathWhenIdle(), behaviour);
  }

  public static MockKeeper busy(Path folder, long pid, Behaviour behaviour) throws IOException {
    KeeperSocket socket = new KeeperSocket(folder, pid, false);
    return new MockKeeper(socket, socket.pathWhenBusy(), behaviour);
  }

  /** A folder for a fingerprint in the pool of the user who runs the test. */
  public static Path fingerprintFolder(PoolDirectory pool, String digit) {
    return pool.userFolder().resolve(digit.repeat(32));
  }

  public KeeperSocket socket() {
    return socket;
  }

  /** Names of the requests so far, oldest first; each after its answer was made. */
  public List<String> requests() {
    return requests;
  }

  private void serve(ServerSocketChannel server) {
    while (true) {
      try {
        SocketChannel connection = server.accept();
        connections.add(connection);
        Thread thread = new Thread(() -> converse(connection), "mock conversation");
        thread.setDaemon(true);
        thread.start();
      } catch (IOException e) {
        return;
      }
    }
  }

  private void converse(SocketChannel connection) {
    try {
      while (true) {
        ByteBuffer bytes = ByteBuffer.allocate(FrameCodec.HEADER_BYTES);
        if (!readFully(connection, bytes)) {
          return;
        }
        FrameCodec.Header header = FrameCodec.decodeHeader(bytes.flip());
        ByteBuffer payload = ByteBuffer.allocate(header.payloadBytes());
        readFully(connection, payload);
        byte[] answer = behaviour.answer(header.type().name(), payload.array());
        requests.add(header.type().name());
        if (answer != null) {
          connection.write(ByteBuffer.wrap(answer));
        }
      }
    } catch (ClosedChannelException e) {
      // The test is over.
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean readFully(SocketChannel connection, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      if (connection.read(bytes) < 0) {
        return false;
      }
    }
    return true;
  }

  /** Ends as a keeper does: its socket goes with it. */
  @Override
  public void close() throws IOException {
    kill();
    for (SocketChannel connection : connections) {
      connection.close();
    }
    Files.deleteIfExists(pathOfOffers());
    Files.deleteIfExists(pathOfWaking());
    Files.deleteIfExists(socket.pathWhenIdle());
    Files.deleteIfExists(socket.pathWhenBusy());
  }

  /** Stops listening but leaves the sockets' files, as a keeper that was killed. */
  public void kill() throws IOException {
    for (ServerSocketChannel server : servers) {
      server.close();
    }
    // A socket listens for as long as a thread is within accept.
    for (Thread listener : listeners) {
      try {
        listener.join(ENDS_MS);
      } catch (InterruptedException e) {
        throw new InterruptedIOException(e.getMessage());
      }
      if (listener.isAlive()) {
        throw new IOException("a mock keeper still listens");
      }
    }
  }

  public static byte[] done() {
    return FrameCodec.encode(Frame.empty(FrameType.DONE)).array();
  }

  public static byte[] refused(int reason) {
    return FrameCodec.encode(Frame.ofInt(FrameType.REFUSED, reason)).array();
  }

  public static byte[] state(String json) {
    ByteBuffer payload = ByteBuffer.wrap(json.getBytes(StandardCharsets.UTF_8));
    return FrameCodec.encode(new Frame(FrameType.STATE, payload)).array();
  }

  /**
   * A STATE object.
   *
   * @param members names and values by turns, beside version, keeper_pid and state
   */
  public static String stateJson(long keeperPid, JvmState state, Object... members) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("version", 1);
    object.put("keeper_pid", keeperPid);
    object.put("state", state.name());
    for (int i = 0; i < members.length; i += 2) {
      object.put((String) members[i], members[i + 1]);
    }
    return object.entrySet().stream()
        .map(e -> "\"" + e.getKey() + "\":" + json(e.getValue()))
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static String json(Object value) {
    return value instanceof String ? "\"" + value + "\"" : String.valueOf(value);
  }
}
