// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import io.hottub.protocol.PoolDirectory;
import io.hottub.protocol.PoolLimits;
import io.hottub.protocol.PoolMarks;
import io.hottub.yarn.pool.PolicyLimits;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * The limits that containers take along. With YARN's Linux executor they have users of their own,
 * into whose pools the pool service cannot write.
 */
final class NodeLimits {
  private final PoolMarks marks;
  private final Optional<PoolLimits> limits;

  private NodeLimits(PoolMarks marks, Optional<PoolLimits> limits) {
    this.marks = marks;
    this.limits = limits;
  }

  static NodeLimits read(Configuration conf, PoolDirectory pool) {
    boolean areOfOtherUsers = ContainerFiles.isLinuxExecutor(conf);
    return new NodeLimits(
        new PoolMarks(pool),
        areOfOtherUsers ? Optional.of(PolicyLimits.read(conf).shared()) : Optional.empty());
  }

  /** The value of their variable; empty: they need none. */
  Optional<String> variable() {
    return limits.map(own -> marks.isDrained() ? PoolLimits.OFF : own.variable());
  }
}
