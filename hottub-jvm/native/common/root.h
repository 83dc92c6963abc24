// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_ROOT_H_
#define HOTTUB_ROOT_H_

// Where the pool is. docs/protocol.md, "Folders", is the rule; roots.tsv has its cases, which
// io.hottub.protocol.PoolDirectory keeps as well.

#include <limits.h>

#include "reason.h"

// Where to look. The last two are what the environment says, or NULL.
struct root_places {
  const char *system;   // /run/hottub
  const char *users;    // /run/user
  const char *chosen;   // HOTTUB_DIR
  const char *runtime;  // XDG_RUNTIME_DIR
};

struct root_places root_places_of_process(void);

struct root {
  char path[PATH_MAX];
  unsigned mode;  // for a root that is to be made
  int dir;        // -1: it is to be made
  int user_dir;   // -1: it is to be made
};

// Finds the root and changes nothing. COLD_NONE, or the reason why there is none: then nothing is
// open. The descriptors are the caller's to close.
enum cold_reason root_find(const struct root_places *places, struct root *root);

// Makes what is to be made; a reason if somebody was there first, or it cannot be. Closes root->dir
// in any case.
enum cold_reason root_make(struct root *root);

#endif  // HOTTUB_ROOT_H_
