// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PrometheusServerTest {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  /** Longer than any test. */
  private static final Duration LONG = Duration.ofMinutes(10);

  private final List<Socket> sockets = new ArrayList<>();
  private PrometheusServer server;

  private void start(Duration timeOfAPeer) throws IOException {
    server = new PrometheusServer(new InetSocketAddress(LOOPBACK, 0), timeOfAPeer);
  }

  @AfterEach
  void close() throws IOException {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private Socket connect(String text) throws IOException {
    Socket socket = new Socket(LOOPBACK, server.port());
    sockets.add(socket);
    socket.setSoTimeout(5_000);
    send(socket, text);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static String answer(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private String scrape() throws IOException {
    return answer(connect("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"));
  }

  private String status(String request) throws IOException {
    return answer(connect(request + "\r\n\r\n")).lines().findFirst().orElse("");
  }

  /** Whether the server has closed a connection on which it had nothing to say. */
  private static boolean isClosed(Socket socket) throws IOException {
    socket.setSoTimeout(1);
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true; // reset: it had not read all
    }
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("hottub-metrics"))
        .filter(Thread::isDaemon)
        .count();
  }

  @Test
  void answersGetOfItsPageAlone() throws Exception {
    start(LONG);
    assertTrue(scrape().startsWith("HTTP/1.1 200 OK\r\n"), scrape());
    assertEquals("HTTP/1.1 200 OK", status("GET /metrics?name=a HTTP/1.0"));
    assertEquals("HTTP/1.1 404 Not Found", status("GET / HTTP/1.1"));
    assertEquals("HTTP/1.1 405 Method Not Allowed", status("POST /metrics HTTP/1.1"));
    assertEquals("HTTP/1.1 400 Bad Request", status("\u0016\u0003\u0001"));
    assertEquals("HTTP/1.1 400 Bad Request", status("x".repeat(8 << 10)));
  }

  @Test
  void aRequestMayComeInPieces() throws Exception {
    start(LONG);
    Socket socket = connect("GET /met");
    Thread.sleep(100);
    send(socket, "rics HTTP/1.1\r\nA: b\r\n\r");
    Thread.sleep(100);
    send(socket, "\n");
    assertTrue(answer(socket).startsWith("HTTP/1.1 200 OK"));
  }

  @Test
  void peersThatHaveBegunARequestMakeNobodyWait() throws Exception {
    start(LONG);
    for (int i = 0; i < 50; i++) {
      connect("G");
    }
    assertTrue(scrape().startsWith("HTTP/1.1 200 OK"));
    assertEquals(1, threads());
  }

  @Test
  void peersAreBounded() throws Exception {
    start(LONG);
    List<Socket> peers = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      peers.add(connect(i % 2 == 0 ? "" : "G"));
    }
    assertTrue(scrape().startsWith("HTTP/1.1 200 OK"));
    int open = 0;
    for (Socket peer : peers) {
      open += isClosed(peer) ? 0 : 1;
    }
    assertEquals(63, open, "with the scrape 64");
  }

  @Test
  void whoDoesNotAskInTimeIsClosed() throws Exception {
    start(Duration.ofMillis(500));
    for (Socket peer : List.of(connect(""), connect("G"))) {
      assertEquals("", answer(peer));
    }
  }

  @Test
  void nothingIsLeftOfIt() throws Exception {
    start(LONG);
    Socket peer = connect("");
    scrape();
    server.close();
    assertEquals("", answer(peer));
    assertEquals(0, threads());
    assertThrows(ConnectException.class, this::scrape);
  }

  @Test
  void anAddressThatIsTakenLeavesNothing() throws Exception {
    start(LONG);
    InetSocketAddress taken = new InetSocketAddress(LOOPBACK, server.port());
    assertThrows(IOException.class, () -> new PrometheusServer(taken));
    assertEquals(1, threads());
    assertFalse(scrape().isEmpty());
  }
}
