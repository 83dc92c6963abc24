// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBLOG_HPP
#define SHARE_HOTTUB_HOTTUBLOG_HPP

#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

// The JVM's own log of its leases: -Xlog:hottub*. The phases of a reset are logged where they
// happen, by log_info(hottub, reset). What a run is given, says or does is never logged: no
// arguments, properties or variables, and nothing goes to its stdout or stderr.
class HotTubLog : AllStatic {
 public:
  // In this order, once in each lease, by whichever thread knows it.
  static void lease_begins();
  static void main_is_entered();
  static void run_has_ended(int status);
  static void threads_have_ended();

  // The JVM is idle again, or retires for this reason. Any thread of the process.
  static void outcome(const char* retire_reason);
};

#endif  // SHARE_HOTTUB_HOTTUBLOG_HPP
