// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_ENDPOINT_H_
#define HOTTUB_ENDPOINT_H_

// Where a keeper is found: its sockets in the pool folder, and the claim to its JVM.

#include <stdbool.h>
#include <sys/types.h>

#include "keeper.h"

// Goes to the folder of the fingerprint, and opens log and sockets there: 0, or -1 with errno.
int endpoint_open(struct keeper *k);

// Shows whether the JVM is idle; if it is, any client may claim it from now on.
void endpoint_show(struct keeper *k, bool idle);

// Claims the own JVM when it is idle: false if a client has claimed it, and its run is on the way.
bool endpoint_claim(struct keeper *k);

// Somebody has removed the folder of the fingerprint: nobody finds the JVM any more, or counts it.
// The reason to retire is set then.
bool endpoint_is_lost(struct keeper *k);

void endpoint_remove(struct keeper *k);

// Removes what a dead keeper of the same folder has left. Its number must not be another's yet.
void endpoint_clear_up(struct keeper *k, pid_t dead);

#endif  // HOTTUB_ENDPOINT_H_
