// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBHEAPSIZES_HPP
#define SHARE_HOTTUB_HOTTUBHEAPSIZES_HPP

#include "memory/allStatic.hpp"

// How large the heap is and how it is divided. Each run begins with what a new JVM has: it sees the
// sizes, and where they are such that it finds less room, it is out of memory. What G1 has learned
// of pauses, by which it divides its regions, is kept: all of them are there for either part.
class HotTubHeapSizes : AllStatic {
 public:
  // At S0, when nothing has run.
  static void take();

  // The run begins now, for collectors that measure the time between collections.
  static void begin_run();

  // At a safepoint, after a full collection.
  static void restore();
};

#endif  // SHARE_HOTTUB_HOTTUBHEAPSIZES_HPP
