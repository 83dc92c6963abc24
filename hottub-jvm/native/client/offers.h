// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_OFFERS_H_
#define HOTTUB_OFFERS_H_

// The folder of a fingerprint where its JVMs are offered runs.

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>

#include "text.h"

// The folder, or NULL if there is none.
DIR *offers_open(int user_dir, const char *fingerprint);

// Its descriptor, or -1 if there is none. The names are those of its sockets whose JVMs nobody has
// claimed, last used first.
int offers_list(int user_dir, const char *fingerprint, int claims, struct list *names);

// Wakes the keeper, which then finds the run that it was offered. A client that woke it before it
// has sent the run could lose its core to the keeper, which would have nothing to do yet. False if
// it is gone.
bool offers_wake(int offers, const char *name);

#endif  // HOTTUB_OFFERS_H_
