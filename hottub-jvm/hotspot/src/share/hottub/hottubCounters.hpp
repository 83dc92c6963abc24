// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBCOUNTERS_HPP
#define SHARE_HOTTUB_HOTTUBCOUNTERS_HPP

#include "memory/allStatic.hpp"

// Counters that tools read from outside (jstat, jconsole): the VM and the class library make theirs
// while a JVM starts, and HotSpot has no way to take one back.
class HotTubCounters : AllStatic {
 public:
  // S0: remembers which there are.
  static void take();

  // Takes back those of a management agent, by which tools find its ports, unless somebody else has
  // made one in the meantime.
  static void restore();

  // Whether there are any of a management agent.
  static bool have_management_agent();
};

#endif  // SHARE_HOTTUB_HOTTUBCOUNTERS_HPP
