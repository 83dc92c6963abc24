// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_ATTRIBUTES_CHECK_H_
#define HOTTUB_ATTRIBUTES_CHECK_H_

// Attributes of the process that only native code changes: that is rare, and ends the JVM.

#include <stdbool.h>

#include "doubt.h"

// At S0, on the main thread.
void attributes_remember(void);

// After a run, on the main thread. False with a doubt if it has changed one of them.
bool attributes_are_as_before(struct doubt *doubt);

#endif  // HOTTUB_ATTRIBUTES_CHECK_H_
