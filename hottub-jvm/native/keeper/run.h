// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_RUN_H_
#define HOTTUB_RUN_H_

// The run that is leased, from its LEASE frame to its end.

#include <stdbool.h>
#include <stdint.h>

#include "keeper.h"

// Takes it out of a LEASE frame: 0, or the reason to refuse it.
uint32_t run_take(struct keeper *k, struct connection *c);

// From now on the claim that came with a frame holds the JVM, too.
void run_take_claim(struct keeper *k, int claim);

// The JVM has them, or nobody needs them any more.
void run_forget_descriptors(struct keeper *k);

// Leads the JVM into the control groups of the client. True if what limits the client limits the
// JVM, too.
bool run_join_cgroups(struct keeper *k);

// Nothing ties the JVM to the client any more: what the run has used is its container's, which may
// be gone as soon as the client is, and tools find the JVM by its own pid.
void run_leave(struct keeper *k);

// Tells the client how its run ended; afterwards the connection is an ordinary one.
void run_end(struct keeper *k, enum frame_exit_kind kind, uint32_t value);

#endif  // HOTTUB_RUN_H_
