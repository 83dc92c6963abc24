// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBCONSTANTS_HPP
#define SHARE_HOTTUB_HOTTUBCONSTANTS_HPP

#include "memory/allStatic.hpp"
#include "oops/oopsHierarchy.hpp"
#include "utilities/exceptions.hpp"
#include "utilities/globalDefinitions.hpp"

class InstanceKlass;
class OopRecorder;

// Values of static final fields that compiled code holds although their class may be
// initialized again: numbers, and the VarHandles and MethodHandles without which calls and
// atomic operations would cost ten times as much.
//
// Code that holds one checks that the class is initialized (by anybody: its own
// initializer must not see the value too early). When the class has been initialized
// again, and before that is published, the new values are compared: a handle that
// means the same as the one in the code is replaced by it. Where a value is another
// one, all code that may hold the old one is thrown away, and a number is never folded
// again. A handle is: that of each run, which the code does not keep alive (so most of
// that code goes with the collection of the reset), and the rest of the code is thrown
// away when the next run has another one. That is also the way of handles that lead to
// an object of a run. Code that folds has the class among its metadata; so it is found.
class HotTubConstants : AllStatic {
 public:
  // For a compilation, in the VM: may code hold the value of this field? False also if
  // the class is not initialized now. A primitive value is returned in *bits, in the
  // lower bytes; a handle is returned as *handle.
  static bool fold(InstanceKlass* k, int offset, BasicType type, jlong* bits, oop* handle);

  // The static final fields of k are no constants: each run draws values of its own.
  static bool are_drawn(const InstanceKlass* k);

  // What a field of a primitive type holds, in the lower bytes: its bits.
  static jlong primitive_value(oop holder, int offset, BasicType type);

  // k has been initialized again, which is not published yet.
  static void settle(InstanceKlass* k, TRAPS);

  // Under Compile_lock: has a compilation with this id and metadata folded a value that
  // is no longer one?
  static bool is_stale(int compile_id, OopRecorder* recorder);
};

#endif  // SHARE_HOTTUB_HOTTUBCONSTANTS_HPP
