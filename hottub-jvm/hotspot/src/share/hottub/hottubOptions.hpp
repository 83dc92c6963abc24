// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBOPTIONS_HPP
#define SHARE_HOTTUB_HOTTUBOPTIONS_HPP

#include "memory/allStatic.hpp"

// The options and properties of HotSpot that differ between runs: those that the command line of a
// run may set, and those that management tools or compilers may write while it runs.
class HotTubOptions : AllStatic {
 public:
  // S0: remembers the values.
  static void take();

  // As on the command line. False if a run may not set this option. A property (-D) is what the
  // class library reads from the VM when all are to have their first values again
  // (System.setProperties(null)).
  static bool set(const char* option);

  // What the run shows as its arguments.
  static void set_arguments(const char* const* arguments, int count);

  // Brings the values of S0 back and forgets the arguments.
  static void restore();

  // Compilers may have written once more since, for what has waited for them at the end of a run.
  static void begin_run();

  // May what is found out by the compilation with this number change an option? Not if it was
  // asked for before this run began: as on a stock JVM, a run's options are of its own code.
  static bool is_written_by(int compile_id);

  // Of those that stay the same: one that HotSpot itself has changed since S0, as UseCompiler when
  // it has no room for compiled code; or NULL.
  static const char* changed();
};

#endif  // SHARE_HOTTUB_HOTTUBOPTIONS_HPP
