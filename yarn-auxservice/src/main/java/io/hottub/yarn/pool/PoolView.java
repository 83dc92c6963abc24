// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.pool;

import io.hottub.protocol.JvmState;
import java.util.List;

/**
 * The pool at one moment.
 *
 * @param jvms those whose keepers answered
 * @param unreachable keepers that live but did not answer, or not by the protocol
 */
public record PoolView(List<PooledJvm> jvms, int unreachable) {
  public static final PoolView EMPTY = new PoolView(List.of(), 0);

  public long count(JvmState state) {
    return jvms.stream().filter(jvm -> jvm.state().state() == state).count();
  }

  public static long residentBytes(PooledJvm jvm) {
    return jvm.state().rssKb() == null ? 0 : jvm.state().rssKb() * 1024;
  }

  /** Resident memory of the JVMs in a state, in bytes; JVMs of unknown size count as nothing. */
  public long residentBytes(JvmState state) {
    return jvms.stream()
        .filter(jvm -> jvm.state().state() == state)
        .mapToLong(PoolView::residentBytes)
        .sum();
  }
}
