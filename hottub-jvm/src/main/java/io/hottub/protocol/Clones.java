// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which JVMs of a pool are clones. Their states do not tell, but the kernel does: the keeper of a
 * clone is a child process of the keeper of its template. A clone whose template has ended is not
 * known for one any more.
 */
public final class Clones {
  private final Map<Long, KeeperState> templates = new HashMap<>();

  /**
   * @param states of all JVMs of a pool
   */
  public Clones(Collection<KeeperState> states) {
    for (KeeperState state : states) {
      if (state.state() == JvmState.TEMPLATE) {
        templates.put(state.keeperPid(), state);
      }
    }
  }

  /** What a JVM is a clone of; empty if it is none. */
  public Optional<KeeperState> templateOf(KeeperState state) {
    if (templates.isEmpty()) {
      return Optional.empty();
    }
    return ProcessHandle.of(state.keeperPid())
        .flatMap(ProcessHandle::parent)
        .map(parent -> templates.get(parent.pid()));
  }
}
