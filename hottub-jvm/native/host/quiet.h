// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_QUIET_H_
#define HOTTUB_QUIET_H_

#include <stdbool.h>
#include <stdint.h>

// Waits until no other thread of the process has had anything to do for a while: what compilers
// have begun, or have in their queues, each clone would do again. False if it does not come to rest
// in that time.
bool quiet_await(int64_t longest_ms);

#endif  // HOTTUB_QUIET_H_
