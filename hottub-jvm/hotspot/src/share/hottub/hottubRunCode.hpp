// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBRUNCODE_HPP
#define SHARE_HOTTUB_HOTTUBRUNCODE_HPP

#include "memory/allStatic.hpp"

class CompileTask;
class InstanceKlass;

// Code of C2 that is for one run alone.
//
// Code for all runs checks whether a class is initialized, and loads its static final references.
// That costs programs that run for long a few percent. So C2 treats what is initialized as a
// stock JVM does when it compiles for a run that is long already, or for the only one of a clone:
// without checks, and with constants. Of a run that is long the code for all runs is thrown away
// where it is used, so that it is compiled again. The reset throws away the code of the run.
class HotTubRunCode : AllStatic {
 public:
  // Once, before S0.
  static void initialize();

  static void begin_run();

  // This process has one run, to its end.
  static void begin_clone();

  // The run that a compilation is for that begins now; 0: for all runs.
  static int run_of(CompileTask* task);

  // Does code for this run need no check that k is initialized? The caller is in the VM.
  static bool is_settled(int run, const InstanceKlass* k);

  // Is the run over that a compilation is for? The caller is in the VM.
  static bool is_stale(int run);

  // At a safepoint, after the run.
  static void discard();
};

#endif  // SHARE_HOTTUB_HOTTUBRUNCODE_HPP
