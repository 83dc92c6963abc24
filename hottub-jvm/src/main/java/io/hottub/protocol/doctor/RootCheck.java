// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.doctor;

import io.hottub.protocol.NoPoolException;
import io.hottub.protocol.PoolDirectory;
import io.hottub.protocol.PoolMarks;
import java.io.IOException;
import java.util.Map;

/** Whether there is a place for the pool of this user, and it is open. */
final class RootCheck implements Check {
  private final Map<String, String> environment;

  RootCheck(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public String name() {
    return "root";
  }

  @Override
  public String right() {
    return "The root of the pool (HOTTUB_DIR, the setting dir, or /run/hottub) is there, safe, and"
        + " this user may have a folder in it, mode 0700; the pool is not drained";
  }

  @Override
  public Finding look() throws IOException {
    PoolDirectory pool;
    try {
      pool = PoolDirectory.resolve(environment);
    } catch (NoPoolException e) {
      return Finding.failed(
          "no pool can be used, runs are cold (%s): %s".formatted(e.reason(), e.details()),
          e.advice());
    }
    if (pool.lacksRootOfAll()) {
      return Finding.failed(
          pool.root() + " is not there, and a run of this user would make it for itself alone",
          "make it at boot with mode 1777, as conf/tmpfiles.d/hottub.conf does");
    }
    if (new PoolMarks(pool).isDrained()) {
      return Finding.warning(
          "the pool in " + pool.userFolder() + " is drained, all runs are cold",
          "hottub undrain; where the cluster has drained it, hottub cluster on, or undrain node");
    }
    return Finding.ok(
        "the pool of this user is in " + pool.userFolder() + ", JVMs: " + pool.sockets().size());
  }
}
