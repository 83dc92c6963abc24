// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_INHERIT_H_
#define HOTTUB_INHERIT_H_

// What this process was born with, taken before it changes any of it.

#include <stdint.h>

#include "lease.h"

#define INHERIT_MAX_DESCRIPTORS 240

struct inheritance {
  int descriptors[INHERIT_MAX_DESCRIPTORS];  // ascending; after an exec none of them is
                                             // close-on-exec
  size_t descriptor_count;
  char *cwd;
  uint64_t ignored_signals, blocked_signals;
};

// To be called before anything is opened. Runs cold where a lease could not carry what it finds.
void inherit_take(struct inheritance *out);

// What of it only a run in a pooled JVM needs: signals that are ignored, or blocked.
void inherit_take_signals(struct inheritance *out);

// Fills in cwd, env, limits, umask, nice and signals of a lease.
void inherit_into_lease(const struct inheritance *inheritance, struct lease *lease);

#endif  // HOTTUB_INHERIT_H_
