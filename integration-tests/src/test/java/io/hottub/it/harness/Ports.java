// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * Ports of loopback for daemons that have to know theirs before they start. They are below those
 * that Linux gives to everybody by itself (from 32768 on, unless it was changed), each is given
 * once, and the tests that run at the same time have ranges of their own, so that nobody has taken
 * one meanwhile, or has one while its daemon is down.
 */
public final class Ports {
  private static final int RANGE = 5_000;
  private static final int FIRST =
      16_000 + RANGE * ((Integer.getInteger("hottub.test.fork", 1) - 1) % 3);

  /** Other builds on this machine begin somewhere else. */
  private static int next = (int) (ProcessHandle.current().pid() * 100 % RANGE);

  private Ports() {}

  /**
   * Gives out ports that nobody has.
   *
   * @param count as many are returned
   * @throws IOException if the range has no more
   */
  public static synchronized List<Integer> free(int count) throws IOException {
    List<Integer> ports = new ArrayList<>();
    for (int tried = 0; tried < RANGE && ports.size() < count; tried++) {
      int port = FIRST + next;
      next = (next + 1) % RANGE;
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
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
