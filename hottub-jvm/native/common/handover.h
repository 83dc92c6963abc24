// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HANDOVER_H_
#define HOTTUB_HANDOVER_H_

// Descriptors that can be taken back. What is sent to a process lies in its queue until it reads,
// and one that is stopped would hold pipes and locks of somebody else for ever. So it is sent a
// socket in whose queue they lie, and whoever reads that first has them: the receiver, or the
// sender again.

#include <stdbool.h>
#include <stddef.h>

// The socket (close-on-exec) with count descriptors in it; the caller keeps its own. -1 with errno.
int handover_open(const int *fds, size_t count);

// Takes them out, without waiting. *count is the room in fds before and their number after. False
// if there are none any more, or they do not fit.
bool handover_take(int socket, int *fds, size_t *count);

// Takes them back, if nobody has them, and closes them and the socket; -1 is none.
void handover_withdraw(int socket);

#endif  // HOTTUB_HANDOVER_H_
