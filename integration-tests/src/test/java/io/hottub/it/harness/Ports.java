// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * Ports of loopback for daemons that have to know theirs before they start. They are below those
 * that Linux gives to everybody by itself (from 32768 on, unless it was changed), each is given
 * once, and each JVM that runs tests has a range of its own, so that nobody has taken one
 * meanwhile, or has one while its daemon is down. The range is that of the JVM that listens at its
 * first port.
 */
public final class Ports {
  private static final int LOWEST = 16_000;
  private static final int RANGE = 2_000;
  private static final int RANGES = 8;

  /** Held until the JVM ends. */
  private static final ServerSocket CLAIM = claim();

  private static final int FIRST = CLAIM.getLocalPort() + 1;
  private static int next = 0;

  private static ServerSocket claim() {
    for (int range = 0; range < RANGES; range++) {
      try {
        return listenAt(LOWEST + range * RANGE);
      } catch (BindException e) {
        // It is another JVM's.
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    throw new IllegalStateException("each of " + RANGES + " ranges of ports is another JVM's");
  }

  private static ServerSocket listenAt(int port) throws IOException {
    return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
  }

  private Ports() {}

  /**
   * Gives out ports that nobody has.
   *
   * @param count as many are returned
   * @throws IOException if the range has no more
   */
  public static synchronized List<Integer> free(int count) throws IOException {
    List<Integer> ports = new ArrayList<>();
    for (int tried = 0; tried < RANGE - 1 && ports.size() < count; tried++) {
      int port = FIRST + next;
      next = (next + 1) % (RANGE - 1);
      try (ServerSocket socket = listenAt(port)) {
        ports.add(socket.getLocalPort());
      } catch (BindException e) {
        // It is somebody else's.
      }
    }
    if (ports.size() < count) {
      throw new IOException("no free port from " + FIRST + " on, of " + RANGE);
    }
    return ports;
  }
}
