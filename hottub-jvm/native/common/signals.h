// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_SIGNALS_H_
#define HOTTUB_SIGNALS_H_

// Signals by number, all 64 of them, in sets where signal n is bit n-1. What the C library offers
// leaves out those that it keeps for its own threads, and they are not the same in each.

#include <stdint.h>

#define SIGNALS_LAST 64

static inline uint64_t signals_bit(int number) { return UINT64_C(1) << (number - 1); }

// Those that this process ignores, and those that it blocks.
uint64_t signals_ignored(void);
uint64_t signals_blocked(void);

// Those that wait for this thread, or its process, to unblock them.
uint64_t signals_pending(void);

void signals_block(uint64_t set);  // exactly these

void signals_default(int number);
void signals_ignore(int number);

void signals_reset(void);  // all have their default action again, and none is blocked

// A descriptor (non-blocking, close-on-exec) from which to read blocked signals of the set, as
// struct signalfd_siginfo; or -1.
int signals_descriptor(uint64_t set);

// What is read from it from now on.
void signals_descriptor_set(int descriptor, uint64_t set);

#endif  // HOTTUB_SIGNALS_H_
