// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
/** For the ResourceManager: prefers nodes with warm JVMs. */
package io.hottub.yarn.placement;
