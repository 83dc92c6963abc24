// Copyright 2026 The HotTub Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_SLICE_H_
#define HOTTUB_SLICE_H_

// How long this process may run at a time. Who asks for less is let in sooner: on a node whose
// cores are all taken, the few microseconds that a lease takes must not wait behind the slices of
// everybody else. The share of the processor stays the same. Linux has this since 6.12 for ordinary
// processes; before, and where it is forbidden, nothing happens.

#include <stdint.h>

// The shortest that there is. Returns what it was, in nanoseconds, or 0 where there is no such
// thing.
uint64_t slice_shorten(void);

// 0: as the kernel gives it to everybody.
void slice_set(uint64_t ns);

#endif  // HOTTUB_SLICE_H_
