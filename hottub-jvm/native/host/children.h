// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_CHILDREN_H_
#define HOTTUB_HOST_CHILDREN_H_

#include <stdbool.h>

// The processes that a run starts: before the first one, somebody has to watch for the signals that
// they are to get.

// A run begins. `announce` is called on the thread that is about to start its first process, which
// then waits for children_watched, but not for long; not at all if it returns false.
void children_begin(bool (*announce)(void));

void children_watched(void);

// The run has its status: nobody waits for the client any more, which may be gone, and no process
// is started after the end.
void children_end(void);

#endif  // HOTTUB_HOST_CHILDREN_H_
