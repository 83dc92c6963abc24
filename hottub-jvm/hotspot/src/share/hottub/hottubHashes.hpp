// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBHASHES_HPP
#define SHARE_HOTTUB_HOTTUBHASHES_HPP

#include "memory/allStatic.hpp"
#include "runtime/thread.hpp"

// The generators of identity hash codes, which order hash tables.  Each thread has one; what it
// starts with comes from a generator of the VM, which new symbols draw from, too.  A run draws the
// numbers that it would on a stock JVM, as far as the class loading that only the first run of a
// JVM has to do leaves it: for main, and for threads in the order in which they are created.
class HotTubHashes : AllStatic {
 public:
  // On the main thread: when the VM was just created, at S0 and after a reset, and when the main
  // class is loaded but not yet initialized.
  static void take(JavaThread* main);
  static void restore(JavaThread* main);
  static void enter_main(JavaThread* main);

  // On the thread that creates it.
  static void begin_thread(JavaThread* created);
};

#endif  // SHARE_HOTTUB_HOTTUBHASHES_HPP
