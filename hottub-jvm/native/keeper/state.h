// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_STATE_H_
#define HOTTUB_STATE_H_

// What a state is called, how long it may last, and the way into it.

#include "keeper.h"

// The first state, as soon as the JVM is started.
void state_begin(struct keeper *k);

// Every transition comes here: sets the deadline of the new state and says so in the log.
void state_enter(struct keeper *k, enum state state);

const char *state_name(enum state state);   // in the log
const char *state_shown(enum state state);  // in STATE

#endif  // HOTTUB_STATE_H_
