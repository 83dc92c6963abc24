// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBHALFDONE_HPP
#define SHARE_HOTTUB_HOTTUBHALFDONE_HPP

#include "memory/allocation.hpp"
#include "oops/oopsHierarchy.hpp"

class InstanceKlass;
class JavaThread;

// What somebody has begun to change and will not finish: a run had no stack or memory left, or a
// thread of it was ended, within a method of the class library. A new process would go on with that
// as well, but only until its end. Where a thread of the run is when the run ends, HotTubInside
// looks; this is for what came before.
class HotTubHalfDone : public StackObj {
  InstanceKlass* _reservation;  // or NULL
  JavaThread* const _main;
  InstanceKlass* _found = NULL;

 public:
  // At a safepoint, when no thread of a run is left.
  HotTubHalfDone(JavaThread* main);

  // Of an object of the heap and its class.
  bool is_one(oop o, InstanceKlass* k) const;

  // The same. What nothing leads to any more counts, too, until the next collection.
  void look(oop o, InstanceKlass* k) { _found = is_one(o, k) ? k : _found; }

  // The class of one that is half done, or NULL.
  InstanceKlass* found() const { return _found; }
};

#endif  // SHARE_HOTTUB_HOTTUBHALFDONE_HPP
