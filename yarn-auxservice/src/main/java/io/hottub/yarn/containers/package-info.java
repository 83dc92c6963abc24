// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
/**
 * What a container executor does for a node with a pool: leads containers into it, and revokes
 * their leases.
 */
package io.hottub.yarn.containers;
