// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBMIRRORS_HPP
#define SHARE_HOTTUB_HOTTUBMIRRORS_HPP

#include "memory/allStatic.hpp"
#include "oops/klass.hpp"

// What java.lang.Class caches in its instances: reflection data, annotations,
// enum constants and values of ClassValue.
class HotTubMirrors : AllStatic {
 public:
  // Finds the fields of java.lang.Class; false if one is missing in this JDK.
  static bool initialize();
  static void clear_caches(Klass* k);
  // The same for int.class and the others that have no Klass.
  static void clear_primitive_caches();
};

#endif  // SHARE_HOTTUB_HOTTUBMIRRORS_HPP
