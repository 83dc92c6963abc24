// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.MetricRegistry;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.HttpServer2;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page in a web server of Hadoop. */
class NodePageInitializerTest {
  private static final String INITIALIZERS = HttpServer2.FILTER_INITIALIZER_PROPERTY;

  @TempDir private Path folder;
  private final Configuration conf = new Configuration();
  private final NodePage page = new NodePage(new MetricRegistry());
  private HttpServer2 server;

  @BeforeEach
  void publish() throws Exception {
    Path secret = Files.writeString(folder.resolve("secret"), "of this test");
    conf.set("hadoop.http.authentication.signature.secret.file", secret.toString());
    page.publish();
  }

  @AfterEach
  void stop() throws Exception {
    page.withdraw();
    if (server != null) {
      server.stop();
    }
  }

  private void start() throws Exception {
    Files.createDirectories(folder.resolve("webapps/node"));
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try (var loader =
        new java.net.URLClassLoader(new java.net.URL[] {folder.toUri().toURL()}, before)) {
      Thread.currentThread().setContextClassLoader(loader);
      server =
          new HttpServer2.Builder()
              .setName("node")
              .setConf(conf)
              .addEndpoint(URI.create("http://127.0.0.1:0"))
              .build();
      server.start();
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  private HttpURLConnection get(String request) throws Exception {
    int port = server.getConnectorAddress(0).getPort();
    return (HttpURLConnection)
        URI.create("http://127.0.0.1:" + port + request).toURL().openConnection();
  }

  @Test
  void whoMaySeeTheOtherPagesSeesIt() throws Exception {
    NodePageInitializer.addTo(conf);
    start();
    HttpURLConnection answer = get(NodePageFilter.PATH);
    assertEquals(200, answer.getResponseCode());
    assertEquals("text/html;charset=utf-8", answer.getContentType());
    try (InputStream in = answer.getInputStream()) {
      assertEquals(page.html(), new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
    assertEquals(404, get("/node/hottub2").getResponseCode());
    page.withdraw();
    assertEquals(404, get(NodePageFilter.PATH).getResponseCode());
  }

  @Test
  void whoIsNotAuthenticatedDoesNot() throws Exception {
    conf.set("hadoop.http.authentication.simple.anonymous.allowed", "false");
    NodePageInitializer.addTo(conf);
    start();
    assertEquals(401, get(NodePageFilter.PATH).getResponseCode());
    assertEquals(200, get(NodePageFilter.PATH + "?user.name=ann").getResponseCode());
  }

  @Test
  void inFrontOfTheAuthenticationThereIsNone() throws Exception {
    conf.set(
        INITIALIZERS,
        NodePageInitializer.class.getName()
            + ",org.apache.hadoop.security.AuthenticationFilterInitializer");
    start();
    assertEquals(404, get(NodePageFilter.PATH).getResponseCode());
  }

  @Test
  void withoutAuthenticationThereIsNone() throws Exception {
    conf.set(INITIALIZERS, NodePageInitializer.class.getName());
    start();
    assertEquals(404, get(NodePageFilter.PATH).getResponseCode());
  }

  @Test
  void whatIsThereStaysAndComesFirst() {
    conf.set(INITIALIZERS, "a.First, a.Second");
    NodePageInitializer.addTo(conf);
    NodePageInitializer.addTo(conf);
    assertEquals(
        "a.First,a.Second,org.apache.hadoop.security.AuthenticationFilterInitializer,"
            + NodePageInitializer.class.getName(),
        conf.get(INITIALIZERS));
  }

  @Test
  void itCanBeTurnedOff() {
    conf.set("yarn.nodemanager.aux-services.hottub.node-page", "false");
    String before = conf.get(INITIALIZERS);
    NodePageInitializer.addTo(conf);
    assertEquals(before, conf.get(INITIALIZERS));
    assertTrue(before.contains("StaticUserWebFilter"), before);
  }
}
