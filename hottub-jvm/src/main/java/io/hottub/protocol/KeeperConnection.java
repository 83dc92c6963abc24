// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.net.ExtendedSocketOptions;

/**
 * A conversation with one keeper. Every operation ends within the connection's time-out, whatever
 * the peer does; after an exception the connection is of no more use. Not for use by two threads.
 */
public final class KeeperConnection implements Closeable {
  private final SocketChannel channel;
  private final Selector selector;
  private final Duration timeout;

  private KeeperConnection(Duration timeout) throws IOException {
    this.timeout = timeout;
    this.selector = Selector.open();
    try {
      this.channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    } catch (IOException e) {
      selector.close();
      throw e;
    }
  }

  /**
   * Connects to a keeper and checks that it runs as this process's user.
   *
   * @param timeout longest time for connecting, and again for each operation; above 0
   * @throws java.net.ConnectException if nobody listens: the keeper is dead
   * @throws NoSuchFileException if the keeper has ended and taken its socket along
   * @throws SocketTimeoutException if the keeper does not take the connection in time
   * @throws ProtocolException if the peer is another user's process
   */
  public static KeeperConnection open(KeeperSocket socket, Duration timeout) throws IOException {
    // The keeper renames its socket when its state changes: a name that was listed, or that was
    // there a moment ago, may be gone. After one whole round of renames it is no coincidence.
    Path idle = socket.pathWhenIdle();
    Path busy = socket.pathWhenBusy();
    for (Path path : List.of(idle, busy, idle)) {
      if (Files.exists(path)) {
        try {
          return open(path, timeout);
        } catch (SocketException e) {
          if (Files.exists(path)) {
            throw e;
          }
        }
      }
    }
    throw new NoSuchFileException(idle.toString());
  }

  private static KeeperConnection open(Path path, Duration timeout) throws IOException {
    KeeperConnection connection = new KeeperConnection(timeout);
    try {
      connection.connect(path);
      return connection;
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  private void connect(Path path) throws IOException {
    long deadline = System.nanoTime() + timeout.toNanos();
    channel.configureBlocking(false);
    if (!channel.connect(UnixDomainSocketAddress.of(path))) {
      do {
        await(SelectionKey.OP_CONNECT, deadline);
      } while (!channel.finishConnect());
    }
    var peer = channel.getOption(ExtendedSocketOptions.SO_PEERCRED);
    if (!peer.user().equals(OwnUser.principal())) {
      throw new ProtocolException(path + " belongs to a process of " + peer.user().getName());
    }
  }

  /** Asks for the state of the JVM. */
  public KeeperState status() throws IOException {
    return KeeperState.parse(text(exchange(Frame.empty(FrameType.STATUS), FrameType.STATE)));
  }

  /**
   * Ends the current lease by force and waits for its end; its client reports death by the given
   * signal. Does nothing where there is no lease.
   *
   * @param signal number of the signal to report, normally 9
   * @param wait longest time for the lease to end; the keeper itself allows it 2 s
   * @throws SocketTimeoutException if the lease has not ended in time; the keeper goes on ending it
   */
  public void revoke(int signal, Duration wait) throws IOException {
    exchange(Frame.ofInt(FrameType.REVOKE, signal), FrameType.DONE, wait);
  }

  /** Ends the JVM: at once when idle, after the lease when leased. */
  public void retire() throws IOException {
    exchange(Frame.empty(FrameType.RETIRE), FrameType.DONE);
  }

  /**
   * Moves the end of an idle JVM: it ends itself after that time without a lease. Does nothing to a
   * JVM that is not idle.
   *
   * @param time from now, whole seconds
   */
  public void keep(Duration time) throws IOException {
    exchange(Frame.ofInt(FrameType.KEEP, Math.toIntExact(time.toSeconds())), FrameType.DONE);
  }

  /**
   * Runs a full audit of an idle JVM.
   *
   * @return what it found, a JSON object
   */
  public String audit() throws IOException {
    String report = text(exchange(Frame.empty(FrameType.AUDIT), FrameType.STATE));
    Json.parseObject(report);
    return report;
  }

  private Frame exchange(Frame request, FrameType expected) throws IOException {
    return exchange(request, expected, timeout);
  }

  private Frame exchange(Frame request, FrameType expected, Duration wait) throws IOException {
    long deadline = System.nanoTime() + wait.toNanos();
    ByteBuffer out = FrameCodec.encode(request);
    while (out.hasRemaining()) {
      if (channel.write(out) == 0) {
        await(SelectionKey.OP_WRITE, deadline);
      }
    }
    FrameCodec.Header header =
        FrameCodec.decodeHeader(readFully(FrameCodec.HEADER_BYTES, deadline));
    if (header.type() == FrameType.REFUSED && header.payloadBytes() == Integer.BYTES) {
      throw new RefusedException(readFully(Integer.BYTES, deadline).getInt());
    }
    if (header.type() != expected) {
      throw new ProtocolException(request.type() + " answered by " + header.type());
    }
    return new Frame(header.type(), readFully(header.payloadBytes(), deadline));
  }

  private ByteBuffer readFully(int bytes, long deadline) throws IOException {
    ByteBuffer in = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    while (in.hasRemaining()) {
      int count = channel.read(in);
      if (count < 0) {
        throw new EOFException("the keeper closed the connection within a frame");
      }
      if (count == 0) {
        await(SelectionKey.OP_READ, deadline);
      }
    }
    return in.flip();
  }

  private static String text(Frame frame) throws ProtocolException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(frame.payload()).toString();
    } catch (CharacterCodingException e) {
      throw new ProtocolException("text that is not UTF-8", e);
    }
  }

  /** Waits until the channel is ready or the deadline has passed. */
  private void await(int operation, long deadline) throws IOException {
    channel.register(selector, operation);
    long left = deadline - System.nanoTime();
    if (left <= 0) {
      throw new SocketTimeoutException("no answer from the keeper in time");
    }
    // Rounded up: a time-out of 0 would mean for ever.
    selector.select(left / 1_000_000 + 1);
    selector.selectedKeys().clear();
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("interrupted while waiting for a keeper");
    }
  }

  @Override
  public void close() throws IOException {
    try (channel) {
      selector.close();
    }
  }
}
