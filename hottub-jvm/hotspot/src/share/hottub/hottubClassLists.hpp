// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBCLASSLISTS_HPP
#define SHARE_HOTTUB_HOTTUBCLASSLISTS_HPP

#include "memory/allStatic.hpp"
#include "oops/instanceKlass.hpp"

// Classes of the JDK that belong to the JVM and not to a run, by their names: what
// build/class-lists has made of the JDK's modules image, and of what somebody has said of each
// class there (classes.tsv, statics.tsv). A class that is in no list is reset.
class HotTubClassLists : AllStatic {
 public:
  enum List : u1 {
    none,
    // Mirrors state of the VM, or has instances that outlive a run (class loaders and what they
    // cache, method handles linked into call sites): what it has learned must stay.
    kept,
    // The same, but classes that are reset leave something in its static fields.
    given,
    // Has no state, or only such that the snapshot brings back.
    never_reset,
    // Copies of system properties that a run may set.
    copies
  };

  static List list_of(const InstanceKlass* k);
};

#endif  // SHARE_HOTTUB_HOTTUBCLASSLISTS_HPP
