// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.ZooKeeper;

/** A ZooKeeper server in a process of its own, on loopback; it can be killed and come back. */
@SuppressWarnings("try") // close waits for others; an interrupt fails the test
public final class ZooKeeperServer implements AutoCloseable {
  /** User and password of the nodes that {@link #invite} lets take part. */
  public static final String CREDENTIALS = "nm:right";

  private static final String SETTING = "yarn.nodemanager.aux-services.hottub.cluster-";
  private static final String MAIN = "org.apache.zookeeper.server.ZooKeeperServerMain";
  private static final int CLIENT_SESSION_MS = 10_000;
  private static final int ANSWER_MS = 1_000;

  private final Path dir;
  private final int port = Ports.free(1).get(0);
  private final List<String> options = new ArrayList<>();
  private Daemon daemon;

  /**
   * @param dir its own
   */
  public ZooKeeperServer(Path dir) throws IOException {
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

  public void jvmOption(String option) {
    options.add(option);
  }

  /** Starts it, and waits until it serves. */
  public void start() throws IOException, InterruptedException {
    daemon = Daemon.start(dir, options, MAIN, List.of(dir.resolve("zoo.cfg").toString()));
    Await.until("ZooKeeper serves (" + dir + ")", () -> answer("srvr").contains("Mode: "));
  }

  /** What it says to a word of four letters, for which nobody has to authenticate. */
  private String answer(String word) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      // Whoever comes while it starts may never hear from it.
      socket.setSoTimeout(ANSWER_MS);
      socket.getOutputStream().write(word.getBytes(US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    }
  }

  /** Lets a NodeManager that is started after it take part, with {@link #CREDENTIALS}. */
  public void invite(YarnNode node) throws IOException {
    node.set(SETTING + "connect", address());
    node.set(SETTING + "auth", "digest");
    invite(node, CREDENTIALS);
  }

  /** With others than {@link #CREDENTIALS}. */
  public void invite(YarnNode node, String credentials) throws IOException {
    Path file = Files.writeString(dir.resolve("credentials"), credentials);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    node.set(SETTING + "credentials", file.toString());
  }

  public String address() {
    return "127.0.0.1:" + port;
  }

  /**
   * A client that is not HotTub's.
   *
   * @param credentials user:password, or null for none
   */
  public ZooKeeper client(String credentials) throws IOException {
    ZooKeeper client = new ZooKeeper(address(), CLIENT_SESSION_MS, event -> {});
    if (credentials != null) {
      client.addAuthInfo("digest", credentials.getBytes(UTF_8));
    }
    return client;
  }

  /** Stops its process until {@link #resume()}. */
  public void suspend() throws Exception {
    daemon.suspend();
  }

  public void resume() throws Exception {
    daemon.resume();
  }

  public void kill() throws InterruptedException {
    daemon.kill();
  }

  @Override
  public void close() throws InterruptedException {
    if (daemon != null) {
      daemon.kill();
    }
  }
}
