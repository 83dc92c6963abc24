// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBAUDIT_HPP
#define SHARE_HOTTUB_HOTTUBAUDIT_HPP

#include "hottub/hottubExports.h"
#include "memory/allStatic.hpp"

// Looks whether the JVM is at S0.
class HotTubAudit : AllStatic {
 public:
  // After a reset and its collection.  With `explain`, the report tells what leads to the objects
  // that are left, however many or few.
  static void perform(HotTubReport* report, bool explain, TRAPS);
};

#endif  // SHARE_HOTTUB_HOTTUBAUDIT_HPP
