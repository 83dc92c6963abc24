// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBEVENTS_HPP
#define SHARE_HOTTUB_HOTTUBEVENTS_HPP

#include "memory/allStatic.hpp"

// What the VM remembers for the report of a crash, and shows to whoever asks for VM.events and
// VM.info: the last exceptions with their messages, classes, compilations, collections; how many
// errors there were.
class HotTubEvents : AllStatic {
 public:
  // As if nothing had happened: after the reset, so that nothing of the run stays in memory, and
  // when the next one begins, which has nothing to do with the reset.
  static void forget();
};

#endif  // SHARE_HOTTUB_HOTTUBEVENTS_HPP
