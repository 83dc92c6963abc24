// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_TERMINAL_H_
#define HOTTUB_TERMINAL_H_

// Runs at a terminal. A pooled JVM is in a session of its own: it cannot have the terminal of the
// user's session as its controlling terminal, so the kernel does not stop it when it reads in the
// background, and it cannot open /dev/tty.

#include "launch.h"

// Runs cold a run at a terminal whose program is not known only to print, by us or by the owner of
// the pool (VOUCHED_PRINTING). Else the descriptor that the run gets as its standard input: 0, or
// one of the same terminal that cannot be read.
int terminal_input(const struct launch *launch, int user_dir);

#endif  // HOTTUB_TERMINAL_H_
