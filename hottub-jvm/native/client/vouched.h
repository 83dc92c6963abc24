// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_VOUCHED_H_
#define HOTTUB_VOUCHED_H_

// Lists in the folder of the pool, in which its owner vouches for programs: a class a line, "#"
// begins a comment.

#include <stdbool.h>

#define VOUCHED_AGENTS "agents"      // agents that may run in pooled JVMs
#define VOUCHED_PRINTING "printing"  // programs that read nothing of a terminal

// Whether `name` is in the list. A list that cannot be read, or is longer than 64 KiB, is empty.
bool vouched_for(int user_dir, const char *list, const char *name);

#endif  // HOTTUB_VOUCHED_H_
