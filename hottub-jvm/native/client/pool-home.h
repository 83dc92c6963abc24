// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_POOL_HOME_H_
#define HOTTUB_POOL_HOME_H_

// The user's folder in the pool, and how many JVMs live there.

#include <stdbool.h>
#include <stdint.h>

#include "pool.h"
#include "text.h"

// Opens it, and creates it where it may. Runs cold if there is none, or none that is safe.
int pool_home_open(void);

// Opens it if it is there and safe, else -1. Changes nothing and never runs cold.
int pool_home_peek(void);

struct pool_census {
  uint32_t jvms;       // of the user
  uint32_t same_kind;  // of the fingerprint
};

// Counts living keepers and clears away what dead ones have left: sockets nobody listens on, logs
// of a day ago, empty folders. Only under the start lock, because a keeper that is starting has its
// socket only at the end of its lock.
void pool_home_census(int user_dir, const char *fingerprint, struct pool_census *census);

// Whether living keepers alone are as many as the limits allow; takes no lock and asks no keeper.
// May say no where a census would say yes.
bool pool_home_seems_full(int user_dir, const char *fingerprint, const struct pool_limits *limits);

// Whether as many JVMs as the user may have are in use, whatever they can run. May say no where a
// census would say yes; costs little, and least where a JVM is idle.
bool pool_home_all_in_use(int user_dir, const struct pool_limits *limits);

// Takes the start lock: a descriptor, or -1 after the deadline.
int pool_home_lock(int user_dir, int64_t deadline);

// The folder where the JVMs of a fingerprint are offered runs: its descriptor, or -1 if there is
// none. The names are those of its sockets whose JVMs nobody has claimed, last used first.
int pool_home_offers(int user_dir, const char *fingerprint, int claims, struct list *names);

// The pid of the keeper that has a socket of that name, wherever in the pool.
int32_t pool_home_keeper(const char *name);

// Wakes the keeper, which then finds the run that it was offered. A client that woke it before it
// has sent the run could lose its core to the keeper, which would have nothing to do yet. False if
// it is gone.
bool pool_home_wake(int offers, const char *name);

#endif  // HOTTUB_POOL_HOME_H_
