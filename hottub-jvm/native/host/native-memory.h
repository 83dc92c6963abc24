// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_NATIVE_MEMORY_H_
#define HOTTUB_HOST_NATIVE_MEMORY_H_

// What runs have taken by malloc and not given back: only the end of the process frees it, and the
// container of a later run is charged for it.

#include <stdbool.h>

#include "doubt.h"

// Before the first run.
void native_memory_remember(void);

// After a run. False with a doubt if it has become too much.
bool native_memory_is_bounded(struct doubt *doubt);

#endif  // HOTTUB_HOST_NATIVE_MEMORY_H_
