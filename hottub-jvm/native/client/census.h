// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_CENSUS_H_
#define HOTTUB_CENSUS_H_

// The user's folder of the pool: who may change it, what dead keepers left, and who lives there.

#include <stdbool.h>
#include <stdint.h>

#include "pool.h"

// Takes the start lock: a descriptor, or -1 after the deadline.
int census_lock(int user_dir, int64_t deadline);

// Clears away what dead keepers have left: sockets nobody listens on, logs of a day ago, empty
// folders. Only under the start lock, because a keeper that is starting has its socket only at the
// end of its lock.
void census_clear(int user_dir);

// Whether as many JVMs as the user may have are in use, whatever they can run. May say no where a
// closer look would say yes; costs little, and least where a JVM is idle.
bool census_all_in_use(int user_dir, const struct pool_limits *limits);

#endif  // HOTTUB_CENSUS_H_
