// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBPROCESS_HPP
#define SHARE_HOTTUB_HOTTUBPROCESS_HPP

#include "memory/allStatic.hpp"

// Which process a run takes itself for: the one that its caller has started, by whose number
// callers find what it writes (heap dumps, logs), and of which no two runs have the same.
class HotTubProcess : AllStatic {
  static volatile int _of_run;

 public:
  // 0: there is no run.
  static void set(int of_run) { _of_run = of_run; }

  // That of the run, else this one's.
  static int id();
};

#endif  // SHARE_HOTTUB_HOTTUBPROCESS_HPP
