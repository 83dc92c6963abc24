// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBHIDDEN_HPP
#define SHARE_HOTTUB_HOTTUBHIDDEN_HPP

#include "memory/allStatic.hpp"
#include "oops/instanceKlass.hpp"

// Hidden classes that a run defines in a class loader that stays, and that stay with it
// (Lookup.ClassOption.STRONG).  No other run finds one, unless it is that of a lambda, to which a
// call site leads.
class HotTubHidden : AllStatic {
 public:
  // It has been defined.
  static void note_defined(InstanceKlass* k);

  // A call site leads to it, in this run and in those after it.
  static void note_linked(InstanceKlass* k);

  // What its definer has given to it.  That of a lambda is a handle of a method, and stays.
  static void forget_data(InstanceKlass* k);

  // Those that no run will find take too much of what a run may have.
  static bool is_metaspace_short();

 private:
  static volatile size_t _bytes;
  static bool is_permanent(InstanceKlass* k);
  static size_t size_of(InstanceKlass* k);
};

#endif  // SHARE_HOTTUB_HOTTUBHIDDEN_HPP
