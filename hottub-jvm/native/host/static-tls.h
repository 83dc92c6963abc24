// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_STATIC_TLS_H_
#define HOTTUB_HOST_STATIC_TLS_H_

// Thread-local variables that libraries of a run have beside those of the program (initial-exec):
// there is little room for them, and the dynamic linker gets back only what is at its end.

#include <stdbool.h>

#include "doubt.h"

// On the main thread, before libraries are unloaded. False with a doubt if the room will not all be
// free after it.
bool static_tls_comes_back(struct doubt *doubt);

#endif  // HOTTUB_HOST_STATIC_TLS_H_
