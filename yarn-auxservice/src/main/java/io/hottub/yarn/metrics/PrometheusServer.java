// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves the metrics at {@code /metrics}. */
public final class PrometheusServer implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(PrometheusServer.class);
  private static final int OK = 200;
  private static final int METHOD_NOT_ALLOWED = 405;

  private final HttpServer server;

  /** A thread of its own: a peer that is slow makes nobody wait but other peers. */
  private final ExecutorService executor =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "hottub-metrics");
            thread.setDaemon(true);
            return thread;
          });

  public PrometheusServer(InetSocketAddress address) throws IOException {
    server = HttpServer.create(address, 0);
    server.createContext("/metrics", PrometheusServer::answer);
    server.setExecutor(executor);
    server.start();
    LOG.info("Metrics for Prometheus are at http://{}/metrics", server.getAddress());
  }

  public int port() {
    return server.getAddress().getPort();
  }

  private static void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!exchange.getRequestMethod().equals("GET")) {
        exchange.sendResponseHeaders(METHOD_NOT_ALLOWED, -1);
        return;
      }
      byte[] body = PrometheusText.of(Metrics.published()).getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
      exchange.sendResponseHeaders(OK, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    executor.shutdownNow();
  }
}
