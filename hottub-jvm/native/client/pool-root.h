// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_POOL_ROOT_H_
#define HOTTUB_POOL_ROOT_H_

// Where the pool is, and the user's folder in it.

#include "reason.h"

// Opens the user's folder, and creates it where it may. -1 if there is none, or none that is safe:
// *why.
int pool_root_open(enum cold_reason *why);

// Opens it if it is there and safe, else -1. Changes nothing.
int pool_root_peek(void);

#endif  // HOTTUB_POOL_ROOT_H_
