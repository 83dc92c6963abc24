// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.metrics;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who is connected to the {@link PrometheusServer}: one request, and its answer. */
final class Peer {
  private static final Logger LOG = LoggerFactory.getLogger(Peer.class);
  private static final int MAX_REQUEST = 8 << 10;

  private final SocketChannel channel;
  private final long since = System.nanoTime();
  private final ByteBuffer request = ByteBuffer.allocate(MAX_REQUEST);

  /** Null: the request is not there yet. */
  private ByteBuffer answer;

  Peer(SocketChannel channel) {
    this.channel = channel;
  }

  boolean hasAsked() {
    return answer != null;
  }

  /** Closes it if its time is up; returns whether it is closed. */
  boolean isOver(Duration time) {
    if (System.nanoTime() - since > time.toNanos()) {
      close();
    }
    return !channel.isOpen();
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.debug("closing {}", channel, e);
    }
  }

  /** Reads and writes what can be without waiting. */
  void proceed(SelectionKey key) {
    try {
      if (key.isReadable()) {
        read(key);
      } else {
        write(key);
      }
    } catch (IOException e) {
      LOG.debug("a peer has gone", e);
      close();
    } catch (RuntimeException e) {
      LOG.warn("Cannot answer a scrape", e);
      close();
    }
  }

  private void read(SelectionKey key) throws IOException {
    if (hasAsked()) {
      request.clear(); // for its end alone: to close before it would cut off the answer
    }
    if (channel.read(request) < 0) {
      close();
    } else if (!hasAsked() && (isWhole() || !request.hasRemaining())) {
      answer = HttpAnswer.to(received());
      write(key);
    }
  }

  private void write(SelectionKey key) throws IOException {
    channel.write(answer);
    if (answer.hasRemaining()) {
      key.interestOps(SelectionKey.OP_WRITE);
    } else {
      channel.shutdownOutput();
      key.interestOps(SelectionKey.OP_READ);
    }
  }

  private boolean isWhole() {
    String text = received();
    return text.contains("\r\n\r\n") || text.contains("\n\n");
  }

  private String received() {
    return new String(request.array(), 0, request.position(), StandardCharsets.ISO_8859_1);
  }
}
