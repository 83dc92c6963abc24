// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_MAPPINGS_H_
#define HOTTUB_HOST_MAPPINGS_H_

// Files and segments of shared memory (System V) that native code of runs has mapped into memory.

#include "doubt.h"

// Unmaps what the run has left, as the end of a process does. After its libraries are unloaded.
// Leaves a doubt if it cannot be found out.
void mappings_remove(struct doubt *doubt);

#endif  // HOTTUB_HOST_MAPPINGS_H_
