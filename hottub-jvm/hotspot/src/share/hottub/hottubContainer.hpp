// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBCONTAINER_HPP
#define SHARE_HOTTUB_HOTTUBCONTAINER_HPP

#include "memory/allStatic.hpp"

// The VM looks up its control groups once, and asks them for processors and memory again and again.
// The keeper puts the JVM into those of each run's container.
class HotTubContainer : AllStatic {
 public:
  static void take();       // at S0
  static void begin_run();  // looks the groups up again if they are others than before
};

#endif  // SHARE_HOTTUB_HOTTUBCONTAINER_HPP
