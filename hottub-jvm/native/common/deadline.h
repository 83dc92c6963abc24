// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_DEADLINE_H_
#define HOTTUB_DEADLINE_H_

// Points in time on the monotonic clock, in milliseconds. DEADLINE_NONE lies beyond every other.

#include <stdint.h>

#define DEADLINE_NONE INT64_MAX

int64_t monotonic_ms(void);
int64_t monotonic_us(void);

// For people and other programs to read; never to wait by.
int64_t wall_clock_ms(void);

// Argument for poll(): milliseconds until the deadline, 0 when it has passed, -1 for DEADLINE_NONE.
int deadline_poll_ms(int64_t deadline);

// Waits until fd has one of the poll events or the deadline passes. 1 ready, 0 deadline, -1 errno.
int deadline_wait(int fd, short events, int64_t deadline);

#endif  // HOTTUB_DEADLINE_H_
