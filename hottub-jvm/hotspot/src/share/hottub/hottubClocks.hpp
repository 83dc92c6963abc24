// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBCLOCKS_HPP
#define SHARE_HOTTUB_HOTTUBCLOCKS_HPP

#include "memory/allStatic.hpp"

// What the VM measures from its start, or from its last collection: how long nobody has used a soft
// reference, and how long ago the whole heap was looked at.  While a JVM is idle, or a template,
// time passes that a run has not seen.
class HotTubClocks : AllStatic {
 public:
  // On the main thread: as at the start of a JVM.
  static void begin_run();
};

#endif  // SHARE_HOTTUB_HOTTUBCLOCKS_HPP
