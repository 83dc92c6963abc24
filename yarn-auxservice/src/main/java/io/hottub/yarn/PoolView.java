// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import io.hottub.protocol.JvmState;
import java.util.List;

/**
 * The pool at one moment.
 *
 * @param jvms those whose keepers answered
 * @param unreachable keepers that live but did not answer, or not by the protocol
 */
record PoolView(List<PooledJvm> jvms, int unreachable) {
  static final PoolView EMPTY = new PoolView(List.of(), 0);

  long count(JvmState state) {
    return jvms.stream().filter(jvm -> jvm.state().state() == state).count();
  }

  /** Resident memory of the JVMs in a state, in bytes; JVMs of unknown size count as nothing. */
  long residentBytes(JvmState state) {
    return jvms.stream()
        .filter(jvm -> jvm.state().state() == state && jvm.state().rssKb() != null)
        .mapToLong(jvm -> jvm.state().rssKb() * 1024)
        .sum();
  }
}
