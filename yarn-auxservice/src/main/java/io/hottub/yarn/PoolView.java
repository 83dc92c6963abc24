// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import io.hottub.protocol.JvmState;
import io.hottub.yarn.cluster.NodeRecord.Jvms;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

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

  /** How many JVMs each fingerprint has, for the cluster. */
  Map<String, Jvms> byFingerprint() {
    return jvms.stream()
        .collect(
            Collectors.toMap(
                jvm -> jvm.socket().fingerprintPrefix(), PoolView::counted, Jvms::plus));
  }

  private static Jvms counted(PooledJvm jvm) {
    return switch (jvm.state().state()) {
      case IDLE -> new Jvms(1, 0, 0, false);
      case LEASED -> new Jvms(0, 1, 0, false);
      default -> new Jvms(0, 0, 1, false);
    };
  }

  static long residentBytes(PooledJvm jvm) {
    return jvm.state().rssKb() == null ? 0 : jvm.state().rssKb() * 1024;
  }

  /** Resident memory of the JVMs in a state, in bytes; JVMs of unknown size count as nothing. */
  long residentBytes(JvmState state) {
    return jvms.stream()
        .filter(jvm -> jvm.state().state() == state)
        .mapToLong(PoolView::residentBytes)
        .sum();
  }
}
