// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_REPORT_H_
#define HOTTUB_REPORT_H_

// What a keeper tells of itself: STATE as JSON, and lines for the journal of the pool.

#include <stdbool.h>
#include <stdint.h>

#include "keeper.h"

void report_state(struct keeper *k, struct connection *c);
void report_reset(struct keeper *k, const char *phases);  // a run is over, and the JVM is clean
void report_end(struct keeper *k, bool retired);          // the JVM is gone

// CPU time of the JVM so far, or -1.
int64_t report_cpu_us(const struct keeper *k);

#endif  // HOTTUB_REPORT_H_
