// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBEVICTION_HPP
#define SHARE_HOTTUB_HOTTUBEVICTION_HPP

#include "memory/allStatic.hpp"
#include "oops/instanceKlass.hpp"
#include "runtime/handles.hpp"
#include "utilities/exceptions.hpp"

class LoaderConstraintTable;

// Takes a class of an earlier run out of the way of one of this run (see HotTubConflicts). As long
// as this run has not used it, it can be as if it had never been loaded: the application loader
// forgets it, with all that inherits from it, and so do constraints between loaders, constant
// pools, call sites and compiled code of other classes. Who comes to it then asks the loader for it
// again, as in a new JVM, and gets what a new JVM would have: another class, the same from the
// class path, or a LinkageError.
//
// What tells that the run has used it: its name was asked for, it was initialized, its static
// fields have changed, there is an object of it, in the heap or in the debug information of
// compiled code, or a thread is in a method of it or at an instruction that names it. Without these
// no value of its type exists but null. And none comes: the class fails to be initialized from then
// on, also for who has its mirror or a handle of its constructor. So no type is mistaken for
// another. What the verifier has concluded of it stays true, too, since a class that comes in its
// place must have parents of the same names.
//
// Compilers must not know both. So they are quiet then, and profiles forget all types.
//
// All of it takes a walk of the heap and all compiled code, and the JVM retires after the run; but
// the run gets no error that it would not get in a JVM of its own.
class HotTubEviction : AllStatic {
 public:
  // k is about to be the class of its name for the loader, which defines it, or has it from another
  // one. A LinkageError if it is another kind of class than the one in whose place it comes. In the
  // VM, without locks of it.
  static void make_way_for(InstanceKlass* k, Handle loader, LoaderConstraintTable* constraints,
                           TRAPS);

  // The two loaders have different classes of this type, or of its elements, where they have to
  // have the same. Returns true if one of them has given way. Likewise.
  static bool make_way(Symbol* type, Handle loader1, Handle loader2,
                       LoaderConstraintTable* constraints);

  // The first class that has given way in this JVM, or NULL.
  static InstanceKlass* first();
};

#endif  // SHARE_HOTTUB_HOTTUBEVICTION_HPP
