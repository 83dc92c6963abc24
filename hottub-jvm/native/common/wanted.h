// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_WANTED_H_
#define HOTTUB_WANTED_H_

// When runs of a fingerprint that has no JVM were seen last: whether it comes often enough to have
// one. The file `wanted` of the user's folder keeps the newest of each 256th part of all
// fingerprints; without it every run is a stranger's.

#include <stdint.h>

// Milliseconds from then to `now_ms` of the monotonic clock; -1: not known.
int64_t wanted_ago_ms(int user_dir, const char *fingerprint, int64_t now_ms);

// when_ms: monotonic time.
void wanted_note(int user_dir, const char *fingerprint, int64_t when_ms);

#endif  // HOTTUB_WANTED_H_
