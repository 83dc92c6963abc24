// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBTHREADUSE_HPP
#define SHARE_HOTTUB_HOTTUBTHREADUSE_HPP

#include "hottub/hottubExports.h"
#include "memory/allStatic.hpp"

// What java.lang.management tells of the use that threads have made of the JVM: processor time,
// allocated memory, how often they were blocked and have waited. Main and the JVM's own threads
// outlive a run, and each run sees what is its own.
class HotTubThreadUse : AllStatic {
 public:
  // Native methods of the class library that ask for it; older updates of JDK 17 have not all.
  static const HotTubNative* natives(int* count);

  // At S0; when a run begins, on the main thread; when everything of it has been done.
  static void take();
  static void begin_run();
  static void end_run();

  // Threads of a copy have used no time yet.
  static void begin_clone();
};

#endif  // SHARE_HOTTUB_HOTTUBTHREADUSE_HPP
