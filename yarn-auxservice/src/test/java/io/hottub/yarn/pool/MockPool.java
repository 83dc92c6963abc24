// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.pool;

import io.hottub.protocol.JvmState;
import io.hottub.protocol.MockKeeper;
import io.hottub.protocol.TempPool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** A pool of JVMs that only exist as keepers' answers. */
public final class MockPool implements AutoCloseable {
  public final TempPool temp = new TempPool();
  private final List<MockKeeper> keepers = new ArrayList<>();

  public MockPool() throws IOException {}

  /** A keeper that says the same on every STATUS, and DONE to everything else. */
  public MockKeeper add(long pid, String fingerprint, JvmState state, Object... members)
      throws IOException {
    return add(
        pid,
        fingerprint,
        new AtomicReference<>(MockKeeper.stateJson(pid, state, members)),
        MockKeeper.done());
  }

  /** A keeper whose answer to STATUS a test changes. */
  public MockKeeper add(
      long pid, String fingerprint, AtomicReference<String> state, byte[] otherwise)
      throws IOException {
    return add(
        pid,
        fingerprint,
        (request, payload) -> request.equals("STATUS") ? MockKeeper.state(state.get()) : otherwise);
  }

  public MockKeeper add(long pid, String fingerprint, MockKeeper.Behaviour behaviour)
      throws IOException {
    Path folder = MockKeeper.fingerprintFolder(temp.pool(), fingerprint);
    MockKeeper keeper = MockKeeper.idle(folder, pid, behaviour);
    keepers.add(keeper);
    return keeper;
  }

  /** A keeper that is at work by its socket's name, whose answer to STATUS a test changes. */
  public MockKeeper addBusy(long pid, String fingerprint, AtomicReference<String> state)
      throws IOException {
    Path folder = MockKeeper.fingerprintFolder(temp.pool(), fingerprint);
    MockKeeper keeper =
        MockKeeper.busy(folder, pid, (request, payload) -> MockKeeper.state(state.get()));
    keepers.add(keeper);
    return keeper;
  }

  /** What a scan finds. */
  public PoolView view() throws IOException {
    return new PoolScanner(temp.pool()).scan();
  }

  @Override
  public void close() throws IOException {
    for (MockKeeper keeper : keepers) {
      keeper.close();
    }
    temp.close();
  }
}
