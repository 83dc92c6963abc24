// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_KEYRINGS_H_
#define HOTTUB_HOST_KEYRINGS_H_

// Keyrings of the kernel, in which native code of a run may have put keys (add_key). Those of the
// process and of the main thread end with the process.

#include <stdbool.h>

#include "doubt.h"

// On the main thread, at S0.
void keyrings_remember(void);

// On the main thread. False with a doubt if it or the process has got one.
bool keyrings_are_as_before(struct doubt *doubt);

#endif  // HOTTUB_HOST_KEYRINGS_H_
