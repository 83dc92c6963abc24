// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "hottub/hottubProcess.hpp"
#include "runtime/os.hpp"

volatile int HotTubProcess::_of_run = 0;

int HotTubProcess::id() {
  const int of_run = _of_run;
  return of_run != 0 ? of_run : os::current_process_id();
}
