// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBWRITTEN_HPP
#define SHARE_HOTTUB_HOTTUBWRITTEN_HPP

#include "memory/allStatic.hpp"
#include "oops/instanceKlass.hpp"

// What nothing but sun.misc.Unsafe, or native code, can write to, and what the VM knows better:
// static finals with a ConstantValue, and what objects of java.lang.Class say of their class.
// Compiled code may hold what was written.
class HotTubWritten : AllStatic {
 public:
  // At a safepoint: a class of which that was written, or NULL.
  static Klass* changed();

 private:
  static bool is_mirror_changed(Klass* k);
  static bool is_name_changed(Klass* k, oop name);
  static bool is_constant_changed(InstanceKlass* k);
};

#endif  // SHARE_HOTTUB_HOTTUBWRITTEN_HPP
