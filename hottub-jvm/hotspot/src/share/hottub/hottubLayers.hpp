// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBLAYERS_HPP
#define SHARE_HOTTUB_HOTTUBLAYERS_HPP

#include "memory/allStatic.hpp"
#include "oops/symbol.hpp"

// Modules that a run has defined to a class loader of the JVM (ModuleLayer.defineModules). They
// have packages and services there for all later runs, and nothing takes them back.
class HotTubLayers : AllStatic {
 public:
  // S0.
  static void take();

  // The name of such a module, or NULL. At a safepoint.
  static Symbol* left();
};

#endif  // SHARE_HOTTUB_HOTTUBLAYERS_HPP
