// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBCRASH_HPP
#define SHARE_HOTTUB_HOTTUBCRASH_HPP

#include "memory/allStatic.hpp"

// A crash of the JVM is reported to the run, where a stock JVM reports it: often in the working
// directory of a container, which is gone a moment later. So the host program gets what the report
// says of where and why, for the keeper's log.
class HotTubCrash : AllStatic {
 public:
  static void initialize(void (*on_crash)(const char* text));

  // The report is complete; `file` can be read. On the thread that crashed, whatever it holds.
  static void is_reported(int file);
};

#endif  // SHARE_HOTTUB_HOTTUBCRASH_HPP
