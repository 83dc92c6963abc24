// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_LASTING_H_
#define HOTTUB_HOST_LASTING_H_

// Functions of the C library by which native code of a run does what only the end of a process
// takes back, and what nothing tells of afterwards.

#include <stdbool.h>

#include "doubt.h"

// False with a doubt if one was called.
bool lasting_is_unused(struct doubt *doubt);

#endif  // HOTTUB_HOST_LASTING_H_
