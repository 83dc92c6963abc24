// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBCLONE_HPP
#define SHARE_HOTTUB_HOTTUBCLONE_HPP

#include "hottub/hottubExports.h"
#include "memory/allStatic.hpp"

// A copy of an idle JVM, in a process of its own.
class HotTubClone : AllStatic {
 public:
  // What the VM knows of its process is that of the copy. On the main thread, before the run.
  static void begin(const HotTubThreadIds* ids, int count, bool ends_with_run);

  // Whether a run ends by the end of the process.
  static bool is_one();

  // Methods that the copy has compiled.
  static int compilations();
};

#endif  // SHARE_HOTTUB_HOTTUBCLONE_HPP
