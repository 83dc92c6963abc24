// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.pool;

import io.hottub.protocol.KeeperSocket;
import io.hottub.protocol.KeeperState;

/** A pooled JVM as one scan found it. */
public record PooledJvm(KeeperSocket socket, KeeperState state) {}
