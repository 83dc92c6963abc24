// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_STREAMS_H_
#define HOTTUB_HOST_STREAMS_H_

// Streams of the C library, through which native code of a run reads and writes. Those of standard
// input, output and errors outlive it.

#include <stdbool.h>

#include "doubt.h"

// At S0.
void streams_remember(void);

// At the end of a run, before its libraries are unloaded: the standard streams no longer use memory
// of these.
void streams_leave_libraries(void);

// What native code has written is written out, and what it has not read is there for the next
// reader of the file, as at the end of a process; or both are dropped, as by a signal that ends it.
void streams_end(bool write_out);

// The standard streams are as at S0, also what they had read ahead, whether they have wide
// characters, and how they buffer. Once descriptors and libraries of the run are gone: they may be
// open on /dev/null after it.
void streams_reset(struct doubt *doubt);

#endif  // HOTTUB_HOST_STREAMS_H_
