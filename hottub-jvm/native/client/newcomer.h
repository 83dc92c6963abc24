// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_NEWCOMER_H_
#define HOTTUB_NEWCOMER_H_

// Room in the pool for a new JVM.

#include <stdbool.h>

#include "pool.h"

// Whether there is room, or room can be made. If not, takes note that the fingerprint was wanted.
// Takes no lock: of many clients that come at once, only those that may start a JVM wait for each
// other.
bool newcomer_may_start(int user_dir, const char *fingerprint, const struct pool_limits *limits);

// The same under the start lock, and idle JVMs that have to go are told to; nobody waits for that.
bool newcomer_makes_room(int user_dir, const char *fingerprint, const struct pool_limits *limits);

#endif  // HOTTUB_NEWCOMER_H_
