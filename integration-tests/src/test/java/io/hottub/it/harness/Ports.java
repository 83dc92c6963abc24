// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Ports of loopback for daemons that have to know theirs before they start. They are below those
 * that Linux gives to everybody by itself (from 32768 on, unless it was changed), each is given
 * once, and each JVM that runs tests has a range of its own, so that nobody has taken one
 * meanwhile, or has one while its daemon is down. The range is whose file the JVM has locked.
 */
public final class Ports {
  private static final int LOWEST = 16_000;
  private static final int RANGE = 2_000;
  private static final int RANGES = 8;
  private static final int FIRST;

  /** Held until the JVM ends: a channel that nobody holds is closed, and the lock with it. */
  @SuppressWarnings("UnusedVariable")
  private static final FileChannel CLAIM;

  private static int next = 0;

  static {
    try {
      Path claims =
          Path.of(System.getProperty("user.home"), ".cache", "hottub", "locks").toAbsolutePath();
      Files.createDirectories(claims);
      int range = 0;
      FileChannel claim = null;
      for (; range < RANGES && claim == null; range++) {
        claim = claim(claims.resolve("ports-" + range));
      }
      if (claim == null) {
        throw new IOException("each of " + RANGES + " ranges of ports is another JVM's: " + claims);
      }
      CLAIM = claim;
      FIRST = LOWEST + RANGE * (range - 1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static FileChannel claim(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (channel.tryLock() != null) {
      return channel;
    }
    channel.close();
    return null;
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
