// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBSIGNALS_HPP
#define SHARE_HOTTUB_HOTTUBSIGNALS_HPP

#include "memory/allStatic.hpp"

class JavaThread;

// Signals that Java code handles.  A thread of the VM, the dispatcher, hands them out, each to a
// new thread, some time after they came: perhaps when the run they were sent to is over, or, sent
// as soon as the client knew of the entry, before it has begun.
class HotTubSignals : AllStatic {
 public:
  // What comes from now on waits for the run that is being entered.
  static void hold();
  static void begin_run();

  // What comes from now on is for nobody.
  static void drop();

  // Drops as well.  Any thread, once in a run.
  static void end_run();

  // No thread is started any more for a signal that came before the run ended.
  static bool are_handed_out();

  // On the dispatcher, before it hands one out: true if it is not to.  Waits while signals are
  // held.
  static bool take(JavaThread* dispatcher, int number);
};

#endif  // SHARE_HOTTUB_HOTTUBSIGNALS_HPP
