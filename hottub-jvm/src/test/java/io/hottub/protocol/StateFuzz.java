// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.nio.charset.StandardCharsets;

/** A keeper's word about its JVM is understood or refused. Input: the JSON of a STATE frame. */
public final class StateFuzz {
  private StateFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    String json = new String(input, StandardCharsets.UTF_8);
    try {
      KeeperState state = KeeperState.parse(json);
      check(state);
      if (!state.json().equals(json)) {
        throw new AssertionError("not the answer as it came");
      }
    } catch (ProtocolException e) {
      // As it should be.
    }
  }

  /** What the members promise. */
  static void check(KeeperState state) {
    if (state.state() == null || state.json() == null) {
      throw new AssertionError(state);
    }
    if (state.keeperPid() <= 0) {
      throw new AssertionError("a keeper without a process: " + state.keeperPid());
    }
  }
}
