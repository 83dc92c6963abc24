// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBCOUNTERS_HPP
#define SHARE_HOTTUB_HOTTUBCOUNTERS_HPP

#include "memory/allStatic.hpp"
#include "runtime/perfData.hpp"
#include "utilities/exceptions.hpp"

// Counters that tools read from outside (jps, jstat, jconsole): the VM and the class library make
// theirs while a JVM starts, and HotSpot has no way to take one back.
class HotTubCounters : AllStatic {
 public:
  // As PerfDataManager::create_string_constant. What is of a run is empty, and can be set.
  static void create_string(CounterNS name_space, const char* name, const char* value, TRAPS);

  // name: one of a run, without its name space. Cuts value off where a stock JVM does.
  static void set(const char* name, const char* value);

  // S0: remembers which there are, and their values.
  static void take();

  // Lets them say what they say in a new JVM, but for those that tell the moment.
  static void begin_run();

  // Takes back those of a management agent, by which tools find its ports, unless somebody else has
  // made one in the meantime.
  static void forget_management_agent();

  // Whether there are any of a management agent.
  static bool have_management_agent();
};

#endif  // SHARE_HOTTUB_HOTTUBCOUNTERS_HPP
