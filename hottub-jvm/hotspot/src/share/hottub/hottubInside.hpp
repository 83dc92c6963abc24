// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBINSIDE_HPP
#define SHARE_HOTTUB_HOTTUBINSIDE_HPP

#include "memory/allStatic.hpp"

class InstanceKlass;
class JavaThread;

// Threads that are in code of the class library whose work outlives the run: a class loader that
// defines a class, a table in which an entry is being computed. Ended there, they would leave it
// half done, and nobody could go on with it.
class HotTubInside : AllStatic {
 public:
  // At a safepoint: the class in whose code the thread is, or NULL. Code of the application within
  // it counts for itself: it may never return.
  static InstanceKlass* holder_of(JavaThread* thread);
};

#endif  // SHARE_HOTTUB_HOTTUBINSIDE_HPP
