// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import io.hottub.protocol.PoolLimits;

/**
 * What the pool may be at most, and should be at least.
 *
 * @param shared what clients and keepers obey by themselves, too
 * @param maxJvmsPerTenant pooled JVMs of one YARN user
 * @param minIdle idle JVMs that stay although they have been idle for long
 * @param maxAgeSeconds a JVM that lives longer retires
 * @param idleBytes resident memory of all idle JVMs
 */
record PolicyLimits(
    PoolLimits shared, int maxJvmsPerTenant, int minIdle, int maxAgeSeconds, long idleBytes) {}
