// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBRESET_HPP
#define SHARE_HOTTUB_HOTTUBRESET_HPP

#include "hottub/hottubExports.h"
#include "memory/allStatic.hpp"
#include "runtime/thread.hpp"
#include "utilities/exceptions.hpp"

// Brings the JVM back to S0 after a run.
class HotTubReset : AllStatic {
 public:
  // On the main thread, after HotTubThreads::await_end.
  static void restore(HotTubReport* report);
  static void collect(HotTubReport* report, TRAPS);
};

#endif  // SHARE_HOTTUB_HOTTUBRESET_HPP
