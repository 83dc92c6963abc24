// Copyright 2026 The HotTub Authors
// SPDX-License-Identifier: Apache-2.0

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

// Takes the start lock: a descriptor, or -1 after the deadline.
int pool_home_lock(int user_dir, int64_t deadline);

// Names of the sockets of idle JVMs of a fingerprint, last used first. *dir is the folder's
// descriptor, or -1 if it does not exist.
void pool_home_idle(int user_dir, const char *fingerprint, int *dir, struct list *names);

// Connects to where the keeper of that socket takes runs, which does not wake it: -1 if it is gone.
int pool_home_connect(int dir, const char *idle);

// Wakes the keeper, which then finds the run. A client that woke it before it has sent the run
// could lose its core to the keeper, which would have nothing to do yet. False if it is gone.
bool pool_home_wake(int dir, const char *idle);

// Opens the file whose locks say which idle JVMs clients are asking: a descriptor, or -1.
int pool_home_claims(int user_dir);

// Claims an idle JVM: false if another client is asking it at this moment. All claims go when the
// descriptor is closed.
bool pool_home_claim(int claims, const char *name);

#endif  // HOTTUB_POOL_HOME_H_
