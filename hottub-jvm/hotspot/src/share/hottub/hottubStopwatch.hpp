// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBSTOPWATCH_HPP
#define SHARE_HOTTUB_HOTTUBSTOPWATCH_HPP

#include "memory/allocation.hpp"
#include "runtime/os.hpp"

// How long a phase takes, in microseconds.
class HotTubStopwatch {
  jlong _since;

 public:
  HotTubStopwatch() : _since(os::javaTimeNanos()) {}

  long us() const { return (long)((os::javaTimeNanos() - _since) / 1000); }

  // The same, and the next phase begins.
  long lap() {
    const long result = us();
    _since = os::javaTimeNanos();
    return result;
  }
};

#endif  // SHARE_HOTTUB_HOTTUBSTOPWATCH_HPP
