// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_POOL_ROOT_H_
#define HOTTUB_POOL_ROOT_H_

// Where the pool is, and the user's folder in it. docs/protocol.md, "Folders", is the rule;
// roots.tsv has its cases, which io.hottub.protocol.PoolDirectory keeps as well.

#include <limits.h>
#include <stdbool.h>

#include "reason.h"

// Opens the user's folder, and creates it where it may. -1 if there is none, or none that is safe:
// *why.
int pool_root_open(enum cold_reason *why);

// Opens it if it is there and safe, else -1. Changes nothing.
int pool_root_peek(void);

// ---- the rule, with other places for its test

// Where to look. The last two are what the environment says, or NULL.
struct root_places {
  const char *system;   // /run/hottub
  const char *users;    // /run/user
  const char *chosen;   // HOTTUB_DIR
  const char *runtime;  // XDG_RUNTIME_DIR
};

struct root {
  char path[PATH_MAX];
  unsigned mode;  // for a root that is to be made
  int dir;        // -1: it is to be made
  int user_dir;   // -1: it is to be made
  bool is_taken;  // somebody else has made it
};

// Finds the root and changes nothing. COLD_NONE, or the reason why there is none: then nothing is
// open. The descriptors are the caller's to close.
enum cold_reason root_find(const struct root_places *places, struct root *root);

// Makes what is to be made; a reason if somebody was there first, or it cannot be. Closes root->dir
// in any case.
enum cold_reason root_make(struct root *root);

#endif  // HOTTUB_POOL_ROOT_H_
