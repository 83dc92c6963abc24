// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_STANDING_H_
#define HOTTUB_STANDING_H_

// The place that the JVM has in the pool: what others can read of it (worth.h), and what has to
// give way when idle JVMs hold too much memory.

#include "keeper.h"

// Takes a place, shows that the JVM is idle now, or gives the place up. Where the first one cannot
// be it is false; after the second the JVM is to retire.
bool standing_begin(struct keeper *k);
void standing_idle(struct keeper *k);
void standing_end(struct keeper *k);

// The pool service wants the JVM to stay until then (monotonic time).
void standing_kept(struct keeper *k, int64_t until_ms);

// Ends the least useful idle JVMs of the pool if all together hold more than they may. True if this
// one has to end, too: that is left to the caller.
bool standing_make_room(struct keeper *k);

// Resident memory of the JVM; -1: unknown.
int64_t standing_resident_kb(const struct keeper *k);

// What the pool holds for it: of an idle clone, what it has not in common with its template; else
// its resident memory, which is the worst case of a clone that has a run. -1: unknown.
int64_t standing_held_kb(const struct keeper *k);

#endif  // HOTTUB_STANDING_H_
