// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBPATHS_HPP
#define SHARE_HOTTUB_HOTTUBPATHS_HPP

#include "memory/allStatic.hpp"
#include "oops/oopsHierarchy.hpp"
#include "utilities/ostream.hpp"

class InstanceKlass;

// Explains what is left of a run: how it is reached from a root.
class HotTubPaths : AllStatic {
 public:
  // Of an object and its class, or, of an array, the class of what it is made for.
  typedef bool (*Filter)(oop o, InstanceKlass* k);

  // At a safepoint.  One clause for each class that the filter accepts and that has instances
  // which are strongly reachable: how many, and a shortest path to one of them, the object first.
  // Returns the number of instances; -1 if there are too many objects in the heap to look.
  static int print_on(outputStream* out, Filter is_wanted);
};

#endif  // SHARE_HOTTUB_HOTTUBPATHS_HPP
