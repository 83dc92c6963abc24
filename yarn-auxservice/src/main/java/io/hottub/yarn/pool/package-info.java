// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
/** One look at the pool after the other: what there is, what is too much, and what ends for it. */
package io.hottub.yarn.pool;
