// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBCONFLICTS_HPP
#define SHARE_HOTTUB_HOTTUBCONFLICTS_HPP

#include "memory/allStatic.hpp"
#include "oops/klass.hpp"

// Classes that runs before have loaded are there from the beginning of a run. One that this run has
// not come to may be in the way of another of its name: one that the run defines in the same class
// loader, or that a class loader of the run has, where a method of both is called (JVMS 5.3.4,
// 5.3.5). It gives way then (HotTubEviction). Where it cannot, the run gets a LinkageError that it
// would not get in a JVM of its own, and has to live with that; but the next run of its kind must
// not meet it again.
class HotTubConflicts : AllStatic {
 public:
  // The run has asked for this class by its name; NULL is none. Any thread, any locks.
  static void note_met(Klass* k);

  // A LinkageError will be thrown because of this class; NULL is none. Under SystemDictionary_lock.
  static void note(Klass* there);

  // Likewise, because of one of the name of k. Under SystemDictionary_lock.
  static void note_name_of(Klass* k);

  // Name of the first class that was in the way of this run, or NULL. Any thread, also when there
  // is no VM any more.
  static const char* first();

  // Before a run.
  static void forget();
};

#endif  // SHARE_HOTTUB_HOTTUBCONFLICTS_HPP
