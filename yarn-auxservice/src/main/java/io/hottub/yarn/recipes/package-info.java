// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
/** Warms JVMs while a node is idle. */
package io.hottub.yarn.recipes;
