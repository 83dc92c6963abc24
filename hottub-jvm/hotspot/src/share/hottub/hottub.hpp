// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUB_HPP
#define SHARE_HOTTUB_HOTTUB_HPP

#include "memory/allStatic.hpp"
#include "runtime/thread.hpp"

// A JVM that serves many runs.  S0 is the moment before the first run; a reset
// brings everything that a run changed back to S0:
//
//   HotTubClasses   which classes may be initialized again, and their reset
//   HotTubSnapshot  the state of the classes that are not
//   HotTubThreads   the silent end of a run's threads
//   HotTubReset     the order of the above, collection and audit
//
// The host program drives it through the functions of hottubExports.cpp, always
// from the one thread that created the VM and that runs main ("the main thread").
class HotTub : AllStatic {
 public:
  // True for a thread that a reset or an intercepted exit is ending: it finds no
  // exception handler and cannot call Java code, so it only releases its monitors.
  static bool is_dying(const JavaThread* thread) {
    return thread->hottub_role() == HotTubThreadRole::dying;
  }

  // Makes the pending exception of a dying thread the one that unwinds it.
  static void throw_death(JavaThread* thread);

  // Runtime.halt.  True if the run ends and the JVM stays; the caller then
  // unwinds.  False before the first run: the process ends.
  static bool intercept_halt(JavaThread* thread, jint status);
};

#endif  // SHARE_HOTTUB_HOTTUB_HPP
