// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_ATTRIBUTES_H_
#define HOTTUB_HOST_ATTRIBUTES_H_

// What only native code changes.

#include <stdbool.h>

#include "doubt.h"

// At S0, on the main thread.
void attributes_remember(void);

// After a run, on the main thread. False with a doubt if it has changed one of them.
bool attributes_are_as_before(struct doubt *doubt);

#endif  // HOTTUB_HOST_ATTRIBUTES_H_
