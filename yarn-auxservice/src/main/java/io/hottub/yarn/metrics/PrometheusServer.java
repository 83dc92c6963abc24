// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.metrics;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the metrics at {@code /metrics}.
 *
 * <p>Not with the JDK's HttpServer: that waits for a request without end, with a thread for each
 * peer that has begun one. System properties could bound it, but they are read once for the whole
 * JVM of the NodeManager, in which agents may have such servers, too. Here one thread waits for all
 * peers at once.
 */
public final class PrometheusServer implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(PrometheusServer.class);

  /** That of a scrape, by Prometheus' default. */
  private static final Duration TIME_OF_A_PEER = Duration.ofSeconds(10);

  private static final int MAX_PEERS = 64;
  private static final long LOOK_MS = 200;
  private static final long STOP_MS = 5_000;

  private final Duration timeOfAPeer;
  private final List<Peer> peers = new ArrayList<>(); // the oldest is the first
  private final Selector selector = Selector.open();
  private final ServerSocketChannel listener;
  private final int port;
  private final Thread thread = new Thread(this::serve, "hottub-metrics");
  private volatile boolean isClosed;

  public PrometheusServer(InetSocketAddress address) throws IOException {
    this(address, TIME_OF_A_PEER);
  }

  PrometheusServer(InetSocketAddress address, Duration timeOfAPeer) throws IOException {
    this.timeOfAPeer = timeOfAPeer;
    listener = ServerSocketChannel.open();
    try {
      if (address.isUnresolved()) {
        throw new UnknownHostException("unknown host " + address.getHostString());
      }
      listener.bind(address);
      listener.configureBlocking(false);
      listener.register(selector, SelectionKey.OP_ACCEPT);
      port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
    } catch (IOException | RuntimeException e) {
      closeAll();
      throw e;
    }
    thread.setDaemon(true);
    thread.start();
    LOG.info("Metrics for Prometheus are at http://{}/metrics", listener.getLocalAddress());
  }

  public int port() {
    return port;
  }

  private void serve() {
    try {
      while (!isClosed) {
        selector.select(this::proceed, LOOK_MS);
        peers.removeIf(peer -> peer.isOver(timeOfAPeer));
      }
    } catch (IOException | RuntimeException e) {
      LOG.error("Metrics are not served to Prometheus any more", e);
    } finally {
      closeAll();
    }
  }

  private void proceed(SelectionKey key) {
    if (!key.isValid()) {
      return; // that of a peer which has made room for another one
    }
    if (key.attachment() instanceof Peer peer) {
      peer.proceed(key);
    } else {
      accept();
    }
  }

  private void accept() {
    SocketChannel channel = null;
    try {
      channel = listener.accept();
      if (channel != null) {
        makeRoom();
        channel.configureBlocking(false);
        Peer peer = new Peer(channel);
        channel.register(selector, SelectionKey.OP_READ, peer);
        peers.add(peer);
      }
    } catch (IOException e) {
      close(channel);
      // Without a descriptor left, the listener stays ready, and the thread would spin.
      pause();
    }
  }

  /** Of those that have not asked yet the oldest one goes: a scrape asks at once. */
  private void makeRoom() {
    if (peers.size() >= MAX_PEERS) {
      Peer oldest =
          peers.stream().filter(peer -> !peer.hasAsked()).findFirst().orElse(peers.get(0));
      oldest.close();
      peers.remove(oldest);
    }
  }

  private static void pause() {
    try {
      Thread.sleep(LOOK_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeAll() {
    peers.forEach(Peer::close);
    close(listener);
    close(selector);
  }

  private static void close(Closeable closeable) {
    try {
      if (closeable != null) {
        closeable.close();
      }
    } catch (IOException e) {
      LOG.debug("closing {}", closeable, e);
    }
  }

  @Override
  public void close() {
    isClosed = true;
    selector.wakeup();
    try {
      thread.join(STOP_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
