// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.pool;

import io.hottub.protocol.Clones;
import io.hottub.protocol.JvmState;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * The pool at one moment.
 *
 * @param jvms those whose keepers answered
 * @param unreachable the pids of keepers that live but did not answer, or not by the protocol, and
 *     what happened instead
 */
public record PoolView(List<PooledJvm> jvms, Map<Long, IOException> unreachable) {
  public static final PoolView EMPTY = new PoolView(List.of(), Map.of());

  public long count(JvmState state) {
    return jvms.stream().filter(jvm -> jvm.state().state() == state).count();
  }

  /** Clones that wait for a run. */
  public long readyClones() {
    Clones clones = new Clones(jvms.stream().map(PooledJvm::state).toList());
    return jvms.stream()
        .map(PooledJvm::state)
        .filter(state -> state.state() == JvmState.IDLE && clones.templateOf(state).isPresent())
        .count();
  }

  /** Whether clones are made of a JVM with this fingerprint. */
  public boolean hasTemplate(String fingerprint) {
    return jvms.stream()
        .anyMatch(
            jvm ->
                jvm.state().state() == JvmState.TEMPLATE
                    && jvm.socket().fingerprintPrefix().equals(fingerprint));
  }

  /** Whether the pool holds the memory of a JVM for runs to come: idle JVMs and templates. */
  static boolean isHeld(PooledJvm jvm) {
    return jvm.state().state() == JvmState.IDLE || jvm.state().state() == JvmState.TEMPLATE;
  }

  /** Resident memory of those, in bytes. */
  public long heldBytes() {
    return jvms.stream().filter(PoolView::isHeld).mapToLong(PoolView::residentBytes).sum();
  }

  public static long residentBytes(PooledJvm jvm) {
    return jvm.state().heldKb() == null ? 0 : jvm.state().heldKb() * 1024;
  }

  /** Resident memory of the JVMs in a state, in bytes; JVMs of unknown size count as nothing. */
  public long residentBytes(JvmState state) {
    return jvms.stream()
        .filter(jvm -> jvm.state().state() == state)
        .mapToLong(PoolView::residentBytes)
        .sum();
  }
}
