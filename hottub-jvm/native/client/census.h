// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_CENSUS_H_
#define HOTTUB_CENSUS_H_

// How many JVMs live in the user's folder of the pool.

#include <stdbool.h>
#include <stdint.h>

#include "pool.h"

struct census {
  uint32_t jvms;       // of the user
  uint32_t same_kind;  // of the fingerprint
};

// Takes the start lock: a descriptor, or -1 after the deadline.
int census_lock(int user_dir, int64_t deadline);

// Counts living keepers and clears away what dead ones have left: sockets nobody listens on, logs
// of a day ago, empty folders. Only under the start lock, because a keeper that is starting has its
// socket only at the end of its lock.
void census_take(int user_dir, const char *fingerprint, struct census *census);

// Whether living keepers alone are as many as the limits allow; takes no lock and asks no keeper.
// May say no where a census would say yes.
bool census_seems_full(int user_dir, const char *fingerprint, const struct pool_limits *limits);

// Whether as many JVMs as the user may have are in use, whatever they can run. May say no where a
// census would say yes; costs little, and least where a JVM is idle.
bool census_all_in_use(int user_dir, const struct pool_limits *limits);

#endif  // HOTTUB_CENSUS_H_
