// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBSNAPSHOT_HPP
#define SHARE_HOTTUB_HOTTUBSNAPSHOT_HPP

#include "memory/allStatic.hpp"
#include "runtime/thread.hpp"
#include "utilities/exceptions.hpp"
#include "utilities/ostream.hpp"

// The state of the base classes at S0: their static fields, and every object
// reachable from these and from the main thread.  Objects of kept
// classes (HotTubClasses), class loaders (but for their assertion status), modules, references,
// strings, mirrors and other threads are neither recorded nor looked behind: they are immutable, or
// must keep what they have learned.
class HotTubSnapshot : AllStatic {
 public:
  // False if this JDK is not supported.
  static bool initialize();

  // Before the first run, when all other threads are idle.
  static void take(JavaThread* main, TRAPS);

  // At a safepoint.  Returns the number of changed items; names them on out.
  static int restore(outputStream* out);

  // At a safepoint.  Returns the number of items that differ now.
  static int difference(outputStream* out);

  static int objects();
};

#endif  // SHARE_HOTTUB_HOTTUBSNAPSHOT_HPP
