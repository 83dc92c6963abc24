// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.pool;

import io.hottub.protocol.KeeperConnection;
import io.hottub.protocol.KeeperSocket;
import io.hottub.protocol.PoolDirectory;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks every keeper of a pool for its state. */
public final class PoolScanner {
  private static final Logger LOG = LoggerFactory.getLogger(PoolScanner.class);

  /** A keeper does nothing but answer: more than this means that it hangs. */
  public static final Duration TIMEOUT = Duration.ofMillis(500);

  private final PoolDirectory pool;

  public PoolScanner(PoolDirectory pool) {
    this.pool = pool;
  }

  /**
   * Looks at the whole pool; a keeper that fails only makes the view smaller.
   *
   * @throws IOException if the pool's folder is not to be trusted or cannot be read
   */
  public PoolView scan() throws IOException {
    return ask(pool.sockets());
  }

  /** Looks only at JVMs that seem to be at work. */
  public PoolView scanBusy() throws IOException {
    return ask(pool.sockets().stream().filter(socket -> !socket.idleHint()).toList());
  }

  private static PoolView ask(List<KeeperSocket> sockets) {
    List<PooledJvm> jvms = new ArrayList<>();
    Map<Long, IOException> unreachable = new HashMap<>();
    for (KeeperSocket socket : sockets) {
      try (KeeperConnection connection = KeeperConnection.open(socket, TIMEOUT)) {
        jvms.add(new PooledJvm(socket, connection.status()));
      } catch (ConnectException | NoSuchFileException e) {
        LOG.debug("{} has ended", socket, e);
      } catch (IOException e) {
        unreachable.put(socket.keeperPid(), e);
      }
    }
    return new PoolView(List.copyOf(jvms), Map.copyOf(unreachable));
  }
}
