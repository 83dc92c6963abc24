// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_TRACE_H_
#define HOTTUB_TRACE_H_

// HOTTUB_TRACE=FILE: one JSON line per run. docs/protocol.md, "Trace". The same goes into the
// journal of the pool, where there is one.

#include <stdbool.h>
#include <stdint.h>

#include "pool.h"
#include "reason.h"

void trace_begin(void);  // the start of the client, from which lease_us counts
void trace_main(const char *main);
void trace_journal(int user_dir);  // the folder where it is
void trace_fingerprint(const char *fingerprint);
// This client has the claim to an idle JVM, which will serve the run; or, after all, will not.
void trace_decided(void);
void trace_undecided(void);
// The keeper has taken the run: when, as it says.
void trace_granted(int64_t at_us);
void trace_cold(enum cold_reason reason);
// What the run has asked for.
void trace_isolation(enum isolation isolation);

void trace_pool(int64_t jvm_pid, int64_t run, enum isolation isolation);

#endif  // HOTTUB_TRACE_H_
