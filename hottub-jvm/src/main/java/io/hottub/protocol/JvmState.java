// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

/** States of a pooled JVM, as its keeper sees them. */
public enum JvmState {
  STARTING,
  IDLE,
  LEASED,
  RESETTING,
  /** It serves no run itself: clones are made of it. */
  TEMPLATE,
  RETIRING
}
