// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_THREADS_H_
#define HOTTUB_HOST_THREADS_H_

// The threads of this process, held still wherever they are, and made anew in a copy of it, where
// they go on from there. While they are held, any lock of the C library may be taken: what is
// called here and by the caller allocates nothing, opens no folder and writes to no stream.

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// Holds all threads but the calling one. False with a doubt's sentence in err, and then all go on.
bool threads_hold(char *err, size_t errlen);

// They go on: after threads_hold in this process, after threads_revive in a copy.
void threads_release(void);

// The place where the C library notes the id of the calling thread, which the kernel may write
// when it makes a copy of the process. Valid once threads are held.
int *threads_own_id(void);

// In a copy of the process, on the thread that has asked for it: makes all that were held anew.
// They have their stacks, their thread-local storage, names and nice values, and other ids.
// 0, or an errno.
int threads_revive(void);

// The ids of thread i before the copy and now; false if there are no more.
bool threads_ids(size_t i, pid_t *before, pid_t *now);

#endif  // HOTTUB_HOST_THREADS_H_
