// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_IDENTITY_H_
#define HOTTUB_HOST_IDENTITY_H_

// What a run sees of its own process through the class library.

#include <sys/types.h>

#include "hottubExports.h"

// The native methods that show it; their number, or -1 if this JDK is not supported.
int identity_natives(const HotTubNative **all);

// A run starts now. To it, its process is the one that its caller has started: the client.
void identity_begin(pid_t client);
void identity_end(void);

// The pid of the run; 0 between runs.
pid_t identity_process(void);

// What the run sees as the parent of a process whose parent this is.
pid_t identity_parent(pid_t parent);

#endif  // HOTTUB_HOST_IDENTITY_H_
