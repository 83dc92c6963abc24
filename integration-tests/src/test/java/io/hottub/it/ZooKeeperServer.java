// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.ZooKeeper;

/** A ZooKeeper server in a process of its own, on loopback; it can be killed and come back. */
@SuppressWarnings("try") // close waits for others; an interrupt fails the test
final class ZooKeeperServer implements AutoCloseable {
  private static final String MAIN = "org.apache.zookeeper.server.ZooKeeperServerMain";
  private static final int CLIENT_SESSION_MS = 10_000;

  private final Path dir;
  private final int port = Ports.free(1).get(0);
  private final List<String> options = new ArrayList<>();
  private Daemon daemon;

  /**
   * @param dir its own
   */
  ZooKeeperServer(Path dir) throws IOException {
    this.dir = Files.createDirectories(dir);
    Files.writeString(
        dir.resolve("zoo.cfg"),
        """
        clientPort=%d
        clientPortAddress=127.0.0.1
        dataDir=%s
        tickTime=500
        admin.enableServer=false
        """
            .formatted(port, Files.createDirectories(dir.resolve("data"))));
    options.add("-Dzookeeper.admin.enableServer=false");
  }

  void jvmOption(String option) {
    options.add(option);
  }

  /** Starts it, and waits until it serves. */
  void start() throws IOException, InterruptedException {
    daemon = Daemon.start(dir, options, MAIN, List.of(dir.resolve("zoo.cfg").toString()));
    Await.until(
        "ZooKeeper serves (" + dir + ")",
        () -> {
          try (ZooKeeper client = client(null)) {
            return client.exists("/zookeeper", false) != null;
          }
        });
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  /**
   * A client that is not HotTub's.
   *
   * @param credentials user:password, or null for none
   */
  ZooKeeper client(String credentials) throws IOException {
    ZooKeeper client = new ZooKeeper(address(), CLIENT_SESSION_MS, event -> {});
    if (credentials != null) {
      client.addAuthInfo("digest", credentials.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
    return client;
  }

  /** Stops its process until {@link #resume()}. */
  void suspend() throws Exception {
    daemon.suspend();
  }

  void resume() throws Exception {
    daemon.resume();
  }

  void kill() throws InterruptedException {
    daemon.kill();
  }

  @Override
  public void close() throws InterruptedException {
    if (daemon != null) {
      daemon.kill();
    }
  }
}
