// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_IDENTITY_H_
#define HOTTUB_HOST_IDENTITY_H_

// What a run sees of its own process through the class library.

#include "hottubExports.h"
#include "lease.h"

// The native methods that show it; their number, or -1 if this JDK is not supported.
int identity_natives(const HotTubNative **all);

// The run of this lease starts now; lease has to stay until identity_end.
void identity_begin(const struct lease *lease);
void identity_end(void);

#endif  // HOTTUB_HOST_IDENTITY_H_
