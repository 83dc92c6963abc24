// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.metrics;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the {@link PrometheusServer} answers to a request, after which it closes the connection. */
final class HttpAnswer {
  private static final Pattern REQUEST =
      Pattern.compile("(?<method>[A-Z]+) (?<path>[^ ?]+)([?][^ ]*)? HTTP/1[.][0-9]\r?\n");

  private HttpAnswer() {}

  static ByteBuffer to(String request) {
    Matcher line = REQUEST.matcher(request);
    if (!line.lookingAt()) {
      return of("400 Bad Request", "");
    }
    if (!line.group("method").equals("GET")) {
      return of("405 Method Not Allowed", "");
    }
    if (!line.group("path").equals("/metrics")) {
      return of("404 Not Found", "");
    }
    return of("200 OK", PrometheusText.of(Metrics.published()));
  }

  private static ByteBuffer of(String status, String text) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    byte[] head =
        """
        HTTP/1.1 %s\r
        Content-Type: text/plain; version=0.0.4; charset=utf-8\r
        Content-Length: %d\r
        Connection: close\r
        \r
        """
            .formatted(status, body.length)
            .getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocate(head.length + body.length).put(head).put(body).flip();
  }
}
