// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_LOG_H_
#define HOTTUB_LOG_H_

// The keeper's log, a file in the folder of its fingerprint. A log that cannot be written must not
// disturb a run.

#include <stddef.h>

#include "keeper.h"

// Clears old logs away and opens the own one: 0, or -1 with errno.
int log_open(struct keeper *k);

void log_line(struct keeper *k, const char *format, ...) __attribute__((format(printf, 2, 3)));

// There is nothing in it that somebody could look for.
void log_remove(const struct keeper *k);

// What the JVM prints.
void log_raw(struct keeper *k, const char *data, size_t length);

#endif  // HOTTUB_LOG_H_
