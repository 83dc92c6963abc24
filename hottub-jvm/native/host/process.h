// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_PROCESS_H_
#define HOTTUB_HOST_PROCESS_H_

// What a process inherits, and a run changes of it.

#include <stdbool.h>
#include <stddef.h>

#include "descriptors.h"
#include "doubt.h"
#include "lease.h"

// Remembers the state that every run starts from and every reset comes back to. At S0.
void process_remember(void);

// Gives the process what the lease says. On -1 nothing of it is in force any more; err says why.
int process_apply(const struct lease *lease, struct start *start, char *err, size_t errlen);

// The run is over: its limits are taken back, before the JVM needs what they may deny it. Leaves a
// doubt if one cannot be.
void process_end_limits(struct doubt *doubt);

// Takes everything else back but the descriptors. Leaves a doubt if something could not be taken
// back.
void process_end_run(struct doubt *doubt);

// Takes notice of child processes that have ended. False with a doubt if one of the run still
// lives: it is to have no parent, and the next run no child.
bool process_has_no_children(struct doubt *doubt);

#endif  // HOTTUB_HOST_PROCESS_H_
