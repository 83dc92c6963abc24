// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_WITNESS_H_
#define HOTTUB_WITNESS_H_

// Child processes of a run are in the process group of the pooled JVM, not in that of the client. A
// signal that the client gets does not say whether its whole group has got it. The witness is a
// process in that group to which nobody has a reason to send one of its own: what reaches it, the
// group has got.

#include <stdbool.h>

// Starts it, unless it is there; it tells the keeper on `socket`, until the client ends. False: a
// run without a witness goes on.
bool witness_start(int socket);

// Returns when it has told of what has reached it so far: before the client does, so that the run
// does not end by a signal that its children have not got yet.
void witness_settle(void);

// Before the client ends: the witness is not left for others to reap.
void witness_end(void);

#endif  // HOTTUB_WITNESS_H_
