// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_DOUBT_H_
#define HOTTUB_HOST_DOUBT_H_

// Why this JVM cannot serve another run.

#include "reasons.h"

struct doubt {
  char text[1024];  // empty: there is none
};

// In place of what it was. The sentence is one of reasons.tsv, by its name: DOUBT_....
void doubt_because(struct doubt *doubt, const char *sentence, ...)
    __attribute__((format(printf, 2, 3)));

#endif  // HOTTUB_HOST_DOUBT_H_
