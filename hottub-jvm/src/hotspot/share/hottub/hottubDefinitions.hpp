/*
 * Copyright (c) 2026, the HotTub authors.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */

#ifndef SHARE_HOTTUB_HOTTUBDEFINITIONS_HPP
#define SHARE_HOTTUB_HOTTUBDEFINITIONS_HPP

#include "memory/allStatic.hpp"
#include "oops/instanceKlass.hpp"

// Classes that a run has defined itself in a class loader that stays (MethodHandles.Lookup, Unsafe,
// JNI, reflection). The next run must not find them, and may define others of the same names;
// but nothing can take them back. Classes of the class path are the same in every run, hidden
// classes are found by nobody, and proxy classes are made again from their interfaces alone.
class HotTubDefinitions : AllStatic {
 public:
  // k is being defined by the current thread.
  static void note(InstanceKlass* k);

  // The name of one of them, or NULL.
  static const char* first();
};

#endif  // SHARE_HOTTUB_HOTTUBDEFINITIONS_HPP
